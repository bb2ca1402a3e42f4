package org.inferometer.measurement;

import java.util.List;
import org.inferometer.scheduling.LaneId;
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
    /// @param lanePoolBlocks `[lanes]` blocks of the pool that each lane works in; empty where all lanes share one pool
    public record Setup(
            int lanes, int maxBatchRows, int cores, int kvPoolBlocks, long preemptedPositions, List<Integer> lanePoolBlocks) {
        /// A set-up whose lanes all share one pool.
        public Setup(int lanes, int maxBatchRows, int cores, int kvPoolBlocks, long preemptedPositions) {
            this(lanes, maxBatchRows, cores, kvPoolBlocks, preemptedPositions, List.of());
        }

        /// Blocks of the pool that a lane works in; 0 where that is not known.
        public int poolBlocks(LaneId lane) {
            if (lanePoolBlocks.isEmpty()) {
                return kvPoolBlocks;
            }
            return lane.index() >= 0 && lane.index() < lanePoolBlocks.size() ? lanePoolBlocks.get(lane.index()) : 0;
        }
    }
}
