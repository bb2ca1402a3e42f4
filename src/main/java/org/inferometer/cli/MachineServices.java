package org.inferometer.cli;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.inferometer.record.SelfCheckResult;
import org.inferometer.report.MachineView;

/// What the commands that look at the machine work with.
public record MachineServices(Inspector inspector, SelfCheck selfCheck) {

    /// Looks at the machine; takes about a second.
    public interface Inspector {
        /// What there is now.
        MachineView look();
    }

    /// Measures what this machine and this program can resolve.
    public interface SelfCheck {
        /// Takes a minute or two, less where not everything is asked for.
        ///
        /// @param only what the ids of the checks begin with; empty for all of them
        /// @param begun hears the name of each check as it begins
        List<SelfCheckResult> run(String only, Consumer<String> begun);

        /// One sentence where no check's id begins so.
        default Optional<String> fault(String only) {
            return Optional.empty();
        }
    }
}
