package org.inferometer.cli.run;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanException;
import org.inferometer.experiment.PlanFault;
import org.inferometer.options.Access;

/// Refuses an experiment of a file or record that would use what the user did not name on the command line.
///
/// @param origin the file or result, for messages
/// @param folder files in it belong to the experiment and need no approval
/// @param accesses what an experiment uses
public record Approval(String origin, Path folder, Function<ExperimentSpec, List<Access>> accesses) {
    /// @param written the experiment of the file or record
    /// @param named the experiment of the command line's options alone
    /// @param spec the experiment that would run
    /// @param allowed kinds that the user approved
    /// @throws PlanException with everything that is not approved
    public void require(ExperimentSpec written, ExperimentSpec named, ExperimentSpec spec, Set<Access.Kind> allowed)
            throws PlanException {
        Set<Access> foreign = new HashSet<>(accesses.apply(written));
        foreign.removeAll(accesses.apply(named));
        require(accesses.apply(spec).stream().filter(foreign::contains).toList(), allowed);
    }

    /// @param foreign what the user did not name
    /// @param allowed kinds that the user approved
    /// @throws PlanException with everything that is not approved
    public void require(List<Access> foreign, Set<Access.Kind> allowed) throws PlanException {
        List<PlanFault> faults =
                foreign.stream().filter(access -> !allowed.contains(access.kind()) && !access.isFileIn(folder))
                        .map(access -> new PlanFault(origin, "This experiment " + access.phrase()
                                + ". If you trust it, add --allow " + access.kind().id() + "."))
                        .toList();
        if (!faults.isEmpty()) {
            throw new PlanException(faults);
        }
    }
}
