package org.inferometer.measurement;

import java.util.List;
import org.inferometer.serving.StepReport;
import org.inferometer.telemetry.TelemetrySample;

/// Everything that was observed in one run, instants in nanoseconds since the run's anchor; figures are derived from this alone.
///
/// @param requests warm-up included, in order of id
/// @param steps all steps, warm-up included
/// @param telemetry all samples, in order of time
/// @param setup what the figures need to know of the set-up
public record RunObservations(List<RequestOutcome> requests, List<StepReport> steps, List<TelemetrySample> telemetry, Setup setup) {
    /// @param lanes lanes of the executor
    /// @param maxBatchRows row limit of a step
    /// @param cores cores the run could use
    /// @param kvPoolBlocks blocks of all pools
    /// @param preemptedPositions positions that preemptions lost in the measured phase
    public record Setup(int lanes, int maxBatchRows, int cores, int kvPoolBlocks, long preemptedPositions) {}
}
