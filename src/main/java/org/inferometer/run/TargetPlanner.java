package org.inferometer.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanFault;
import org.inferometer.options.Selection;
import org.inferometer.record.RunPlan;
import org.inferometer.scheduling.Limits;
import org.inferometer.target.TargetKinds;

/// Plans runs against targets outside this process, and finds what is wrong with the targets before anything is contacted.
final class TargetPlanner {
    private static final Limits UNKNOWN = new Limits(0, 0, 0);

    private final TargetKinds kinds;

    TargetPlanner(TargetKinds kinds) {
        this.kinds = kinds;
    }

    List<PlanFault> faults(ExperimentSpec spec) {
        List<PlanFault> faults = new ArrayList<>();
        Set<String> cells = new HashSet<>();
        for (Selection target : spec.targets()) {
            try {
                kinds.find(target.name()).faults(target)
                        .forEach(sentence -> faults.add(new PlanFault("target", sentence)));
            } catch (IllegalArgumentException e) {
                faults.add(new PlanFault("target", String.valueOf(e.getMessage())));
            }
            if (!cells.add(target.options().getOrDefault("model", "") + " " + Cell.schedulerOf(target))) {
                // An address that was refused may hold a password: the selection itself is never shown.
                faults.add(new PlanFault("target",
                        "Two " + target.name() + " targets cannot be told apart in tables. Give each a name, as in "
                                + target.name() + ":name=first,..."));
            }
        }
        return faults;
    }

    RunPlan plan(ExperimentSpec spec, String experiment, int run, int cellIndex, int repetition, Path folder) {
        return new RunPlan(experiment, run, cellIndex, spec.cells().get(cellIndex), repetition, "",
                folder.toAbsolutePath().toString(), spec.warmUpRequests(), Planner.workloadSeed(spec, repetition),
                spec.sampleEveryMillis(), 0, UNKNOWN, null, spec.goal(), null);
    }
}
