package org.inferometer.run;

import java.util.List;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.Subject.EngineSubject;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RunPlan;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.WorkloadSpec;

/// Estimates the size of records before a run. Sizes of rows are means of the sample results.
final class RecordEstimate {
    // Manifests, and ten minutes of telemetry at 10 Hz.
    private static final long RUN_BYTES = 1 << 20;
    private static final int REQUEST_BYTES = 300; // row and events
    private static final int TOKEN_BYTES = 5;
    private static final int SLICE_BYTES = 10;
    private static final int STEP_BYTES = 100;
    private static final int SAMPLE_BYTES = 150;
    private static final int USUAL_BATCH = 8;
    private static final int LARGEST_BATCH = 256;

    private RecordEstimate() {}

    /// Bytes of all planned runs. A search is planned while it runs: it tries each cell about once.
    static long bytes(ExperimentManifest manifest) {
        ExperimentSpec spec = manifest.spec();
        List<Cell> runs =
                manifest.plan().isEmpty() ? spec.cells() : manifest.plan().stream().map(RunPlan::cell).toList();
        return runs.stream().mapToLong(cell -> bytes(cell, spec.warmUpRequests(), spec.sampleEveryMillis())).sum();
    }

    private static long bytes(Cell cell, int warmUpRequests, int sampleEveryMillis) {
        WorkloadSpec load = cell.workload();
        double requests = warmUpRequests + load.expectedRequests();
        double tokens = requests * mean(load.outputTokens()) * load.refinements().answers();
        double perToken = TOKEN_BYTES;
        if (cell.subject() instanceof EngineSubject) {
            int batch = load.arrivals() instanceof ArrivalProcess.ClosedLoop(int concurrency)
                    ? Math.min(LARGEST_BATCH, concurrency) : USUAL_BATCH;
            perToken += SLICE_BYTES + (double) STEP_BYTES / batch;
        }
        double samples = load.refinements().durationNanos() / (1e6 * Math.max(1, sampleEveryMillis));
        return RUN_BYTES + (long) (requests * REQUEST_BYTES + tokens * perToken + samples * SAMPLE_BYTES);
    }

    private static double mean(LengthDistribution lengths) {
        return switch (lengths) {
            case LengthDistribution.LognormalLength(double median, double sigma, int min, int max) ->
                Math.clamp(median * Math.exp(sigma * sigma / 2), min, max);
            case LengthDistribution.FixedLength _,LengthDistribution.UniformLength _ ->
                (lengths.smallest() + (double) lengths.largest()) / 2;
        };
    }
}
