package org.inferometer.benchmark;

import java.util.List;
import org.inferometer.options.Selection;
import org.inferometer.workload.WorkloadSpec;

/// What was asked: the matrix engines × schedulers × workloads on one backend, and how often and how carefully.
///
/// @param runs repetitions of each cell
/// @param warmUpRequests requests before measuring starts, drained and left out of every figure
/// @param seed every random draw of the experiment comes from it
/// @param sampleEveryMillis telemetry period, 10 to 1000
/// @param kvBytes size of the KV pool; 0 for as much as the workload's concurrency can use, up to half the free memory
/// @param limits batch limits; a value of 0 takes the default for the workload
public record ExperimentSpec(
        String name,
        List<String> engines,
        List<Selection> schedulers,
        List<WorkloadSpec> workloads,
        Selection backend,
        int runs,
        int warmUpRequests,
        long seed,
        int sampleEveryMillis,
        long kvBytes,
        AskedLimits limits) {

    /// @param maxBatchRows requests in a step, 0 for the default
    /// @param maxStepPositions positions in a step, 0 for the default
    /// @param maxSequencePositions positions of a request, 0 for what the workload can reach
    public record AskedLimits(int maxBatchRows, int maxStepPositions, int maxSequencePositions) {
        /// All defaults.
        public static final AskedLimits DEFAULTS = new AskedLimits(0, 0, 0);
    }

    /// The cells of the matrix, engines outermost.
    public List<Cell> cells() {
        return engines.stream()
                .flatMap(engine -> schedulers.stream()
                        .flatMap(scheduler -> workloads.stream().map(workload -> new Cell(engine, scheduler, workload, backend))))
                .toList();
    }
}
