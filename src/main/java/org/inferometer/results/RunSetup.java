package org.inferometer.results;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.benchmark.Phase;
import org.inferometer.benchmark.RunEvent;
import org.inferometer.benchmark.RunManifest;
import org.inferometer.benchmark.RunPlan;
import org.inferometer.measurement.RunObservations.Setup;

/// What the figures need to know of a run's set-up, from its manifest and events.
final class RunSetup {
    private static final Pattern FIRST_NUMBER = Pattern.compile("\\d{1,9}");

    private RunSetup() {}

    static Setup of(RunManifest manifest, List<RunEvent> events) {
        long poolBlocks = manifest.pools().blocks().stream().mapToLong(Integer::longValue).sum();
        return new Setup(
                manifest.pools().lanes(),
                manifest.plan().limits().maxBatchRows(),
                manifest.machine().logicalCores(),
                Math.toIntExact(Math.min(poolBlocks, Integer.MAX_VALUE)),
                preemptedPositions(events));
    }

    /// Counts and sizes that are negative, or names that lead out of the record, end the reading.
    static void requireSound(Path file, RunManifest manifest) throws ResultFormatException {
        RunPlan plan = manifest.plan();
        RunManifest.Pools pools = manifest.pools();
        require(file, plan.run() >= 0 && plan.cellIndex() >= 0 && plan.repetition() >= 0, "the run's number, cell or repetition is negative.");
        require(file, pools.lanes() >= 0 && pools.lanes() <= 1 << 16 && pools.blockTokens() >= 0 && pools.blockBytes() >= 0
                && pools.blocks().size() <= 1 << 16 && pools.blocks().stream().allMatch(blocks -> blocks >= 0), "the pools are impossible.");
        require(file, plan.limits().maxBatchRows() >= 0 && manifest.machine().logicalCores() >= 0 && manifest.droppedSamples() >= 0
                && plan.cell().workload().requests() >= 0, "a count is negative.");
    }

    private static void require(Path file, boolean holds, String sentence) throws ResultFormatException {
        if (!holds) {
            throw new ResultFormatException(file, sentence + " This is no record of Inferometer.");
        }
    }

    /// The positions lost stand as the first number in the detail of each "preempted" event after measuring began.
    private static long preemptedPositions(List<RunEvent> events) {
        long lost = 0;
        boolean measuring = false;
        for (RunEvent event : events) {
            if (event.kind().equals("phase")) {
                measuring = event.subject().equalsIgnoreCase(Phase.MEASURE.label());
            } else if (measuring && event.kind().equals("preempted")) {
                Matcher number = FIRST_NUMBER.matcher(event.detail());
                lost += number.find() ? Long.parseLong(number.group()) : 0;
            }
        }
        return lost;
    }
}
