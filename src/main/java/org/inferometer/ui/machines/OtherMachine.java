package org.inferometer.ui.machines;

import static org.inferometer.ui.fx.Messages.counted;
import static org.inferometer.ui.fx.Messages.text;

import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import org.inferometer.record.MachineDescription;
import org.inferometer.remote.RemoteMachine;
import org.inferometer.remote.SshHost;

/// A machine that ssh reaches, and what is known of it. Belongs to the UI thread.
public final class OtherMachine {
    private final String written;
    private final SshHost host;
    private final ReadOnlyObjectWrapper<State> state = new ReadOnlyObjectWrapper<>(new State.NotAsked());

    /// What is known of a machine.
    public sealed interface State {
        /// It was not asked since the window opened.
        record NotAsked() implements State {}

        /// It is being asked.
        record Asking() implements State {}

        /// It answered.
        record Ready(RemoteMachine offer) implements State {
            /// "AMD EPYC, 16 cores, NVIDIA H200; 9 engines; Inferometer 0.2.0".
            public String facts() {
                MachineDescription machine = offer.machine();
                return text("machines.facts", machine.processor(), machine.logicalCores(),
                        machine.gpus().isEmpty() ? text("machines.no-gpu") : String.join(", ", machine.gpus()),
                        counted("machines.engines", offer.engines().size()), machine.inferometerVersion());
            }
        }

        /// It did not answer.
        record Unreachable(String why) implements State {}
    }

    /// @param written as `--on` takes it
    /// @throws IllegalArgumentException in one sentence if it names no machine
    OtherMachine(String written) {
        this.written = written;
        this.host = SshHost.parse(written);
    }

    /// As `--on` takes it: "ssh:gpu1".
    public String written() {
        return written;
    }

    /// The host without options: "ssh:gpu1".
    public String label() {
        return host.text();
    }

    /// Where ssh connects to.
    public SshHost host() {
        return host;
    }

    /// What is known of it.
    public ReadOnlyObjectProperty<State> state() {
        return state.getReadOnlyProperty();
    }

    void set(State now) {
        state.set(now);
    }
}
