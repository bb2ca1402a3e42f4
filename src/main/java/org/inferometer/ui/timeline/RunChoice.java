package org.inferometer.ui.timeline;

import static org.inferometer.ui.fx.Messages.text;

import java.util.List;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.report.compare.CellLabels;
import org.jspecify.annotations.Nullable;

/// A run of the open experiment.
///
/// @param label "1: tiny-int4 · continuous"
public record RunChoice(RunRecord run, String label) {
    /// The choices of an experiment, named by what differs between its cells.
    public static List<RunChoice> all(ExperimentRecord experiment) {
        CellLabels labels = CellLabels.of(experiment.manifest());
        boolean repeated = experiment.manifest().spec().runs() > 1;
        return experiment.runs().stream().map(run -> {
            RunPlan plan = run.manifest().plan();
            int number = plan.index().run() + 1;
            return new RunChoice(run,
                    repeated ? text("timeline.run-repeated", number, labels.of(plan), plan.index().repetition() + 1)
                            : text("timeline.run", number, labels.of(plan)));
        }).toList();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        // Records of runs are large: compare identities.
        return other instanceof RunChoice that && that.run == run;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(run);
    }

    @Override
    public String toString() {
        return label;
    }
}
