package org.inferometer.measurement;

import java.util.Optional;
import java.util.OptionalDouble;

/// What the run's driver knows and the observations do not hold. What is empty was not checked, which breaks no run.
///
/// @param droppedSamples telemetry samples that are missing from the record
/// @param shareOfCeiling request rate of the run as a share of what the load generator reaches against a target that does nothing
/// @param otherGpuProcess whether another process computed on the GPU
public record RunCircumstances(long droppedSamples, OptionalDouble shareOfCeiling, Optional<Boolean> otherGpuProcess) {
    /// Nothing known but the sampler's count.
    public static RunCircumstances dropped(long droppedSamples) {
        return new RunCircumstances(droppedSamples, OptionalDouble.empty(), Optional.empty());
    }
}
