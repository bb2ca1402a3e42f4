package org.inferometer.measurement.verdict;

import java.util.Optional;
import java.util.OptionalDouble;

/// Measurements of the run's driver outside the observations; an empty value was not checked.
///
/// @param droppedSamples telemetry samples that are missing from the record
/// @param shareOfCeiling request rate / rate of the load generator against a null target
/// @param otherGpuProcess whether another process computed on the GPU
/// @param otherPrograms share of all cores that other programs used before the run
public record RunCircumstances(long droppedSamples, OptionalDouble shareOfCeiling, Optional<Boolean> otherGpuProcess,
        OptionalDouble otherPrograms) {
    /// Only the dropped samples are known.
    public static RunCircumstances dropped(long droppedSamples) {
        return new RunCircumstances(droppedSamples, OptionalDouble.empty(), Optional.empty(), OptionalDouble.empty());
    }
}
