package org.inferometer.ui.servers;

import java.util.List;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import org.inferometer.options.Selection;
import org.inferometer.target.TargetKind.ProbeCheck;
import org.inferometer.target.TargetKind.ProbeCheck.Outcome;

/// A server that runs, and what its last probe found. Belongs to the UI thread.
public final class KnownServer {
    private final Selection target;
    private final ReadOnlyObjectWrapper<State> state = new ReadOnlyObjectWrapper<>(new State.NotProbed());

    /// What is known of a server.
    public sealed interface State {
        /// It was not probed since the window opened.
        record NotProbed() implements State {}

        /// It is being probed.
        record Probing() implements State {}

        /// It was probed.
        ///
        /// @param checks in the order in which they were made
        record Probed(List<ProbeCheck> checks) implements State {
            /// Whether no check failed.
            public boolean usable() {
                return checks.stream().noneMatch(check -> check.outcome() == Outcome.FAILED);
            }
        }

        /// It could not be probed.
        record Refused(String why) implements State {}
    }

    KnownServer(Selection target) {
        this.target = target;
    }

    /// As `--target` takes it.
    public Selection target() {
        return target;
    }

    /// What is known of it.
    public ReadOnlyObjectProperty<State> state() {
        return state.getReadOnlyProperty();
    }

    void set(State now) {
        state.set(now);
    }
}
