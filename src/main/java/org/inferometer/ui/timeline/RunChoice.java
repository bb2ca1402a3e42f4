package org.inferometer.ui.timeline;

import static org.inferometer.ui.fx.Messages.text;

import org.inferometer.record.RunRecord;
import org.jspecify.annotations.Nullable;

/// A run of the open experiment.
///
/// @param label "1: tiny-int4 · continuous · short"
public record RunChoice(RunRecord run, String label) {
    /// The choice for a run.
    ///
    /// @param repeated whether the label needs the repetition
    public static RunChoice of(RunRecord run, boolean repeated) {
        var plan = run.manifest().plan();
        return new RunChoice(run,
                repeated ? text("timeline.run-repeated", plan.index().run() + 1, plan.cell().label(),
                        plan.index().repetition() + 1)
                        : text("timeline.run", plan.index().run() + 1, plan.cell().label()));
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
