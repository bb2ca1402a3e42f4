package org.inferometer.ui.machines;

import static org.inferometer.ui.fx.Messages.counted;
import static org.inferometer.ui.fx.Messages.text;

import java.util.Optional;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.collections.ObservableList;
import org.inferometer.record.MachineDescription;
import org.inferometer.remote.RemoteMachine;
import org.inferometer.remote.SshHost;
import org.inferometer.run.BenchmarkService;
import org.inferometer.suite.slurm.Slurm.SlurmFeatures;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.ui.machines.OtherMachines.OtherMachine.State;

/// The other machines that a user named, kept in the settings, and the Slurm of this one. Belongs to the UI thread.
public final class OtherMachines {
    private static final String KEY = "machines";

    private final MachineAccess access;
    private final BackgroundWork work;
    private final ObservableList<OtherMachine> all;
    private final ReadOnlyStringWrapper cluster = new ReadOnlyStringWrapper("");
    private boolean clusterAsked;

    /// Reads the settings; asks no machine.
    public OtherMachines(MachineAccess access, Settings settings, BackgroundWork work) {
        this.access = access;
        this.work = work;
        all = settings.list(KEY, OtherMachine::new, OtherMachine::written);
    }

    /// The machines, in the order in which they were named. A change is kept.
    public ObservableList<OtherMachine> all() {
        return all;
    }

    /// Adds a machine and asks it.
    ///
    /// @param typed "gpu1", "ssh:me@gpu1,port=2222"
    /// @return what is wrong; empty if it was added
    public Optional<String> add(String typed) {
        String stripped = typed.strip();
        String written = stripped.startsWith("ssh:") ? stripped : "ssh:" + stripped;
        if (all.stream().anyMatch(each -> each.written().equals(written))) {
            return Optional.of(text("machines.twice", written));
        }
        try {
            OtherMachine added = new OtherMachine(written);
            all.add(added);
            ask(added);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /// Asks a machine what it has. No effect while it is being asked.
    public void ask(OtherMachine machine) {
        if (machine.state().get() instanceof State.Asking) {
            return;
        }
        machine.set(new State.Asking());
        work.run(WindowWork.OTHER_MACHINE, () -> access.look(machine.host()),
                offer -> machine.set(new State.Ready(offer)),
                failure -> machine.set(new State.Unreachable(ErrorText.sentence(failure))));
    }

    /// The service that runs experiments on a machine.
    public BenchmarkService benchmarks(OtherMachine machine) {
        return access.benchmarks(machine.host());
    }

    /// Looks once for a Slurm.
    void askCluster() {
        if (!clusterAsked) {
            clusterAsked = true;
            work.run(WindowWork.OWN, () -> access.slurm().features(), found -> cluster.set(described(found)),
                    failure -> cluster.set(text("machines.no-slurm", ErrorText.sentence(failure))));
        }
    }

    private static String described(SlurmFeatures slurm) {
        return text("machines.slurm", slurm.version(),
                text(slurm.accounting() ? "machines.slurm-accounting" : "machines.slurm-no-accounting"),
                text(slurm.containers() ? "machines.slurm-containers" : "machines.slurm-no-containers"));
    }

    /// What the Slurm of this machine is; empty before it answered.
    ReadOnlyStringProperty cluster() {
        return cluster.getReadOnlyProperty();
    }

    /// A machine that ssh reaches, and what is known of it. Belongs to the UI thread.
    public static final class OtherMachine {
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
}
