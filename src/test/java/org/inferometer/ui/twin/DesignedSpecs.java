package org.inferometer.ui.twin;

import org.inferometer.experiment.ExperimentSpec;

/// Specifications as people make them from the quick preset.
public final class DesignedSpecs {
    private DesignedSpecs() {}

    /// The quick preset under another name, repeated.
    public static ExperimentSpec repeated(String name, int runs) {
        ExperimentSpec quick = Experiments.QUICK;
        return new ExperimentSpec(name, quick.engines(), quick.schedulers(), quick.workloads(),
                quick.backends().getFirst(), runs, quick.warmUpRequests(), quick.seed(), quick.sampleEveryMillis(), 0,
                quick.limits());
    }
}
