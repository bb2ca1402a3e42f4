package org.inferometer.run;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.inferometer.execution.Executor;
import org.inferometer.execution.Executor.ExecutorDevice;
import org.inferometer.execution.Executor.KvGeometry;
import org.inferometer.execution.Executor.OwnedMemory;
import org.inferometer.execution.LaneJob;
import org.inferometer.execution.LaneJob.KvTransfer;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.PoolId;
import org.inferometer.units.Clock;

/// Computes and copies nothing: steps end at once on the caller's thread. Each pool holds all rows at maximum length.
///
/// @param rows concurrent requests
/// @param positions of the longest request
record NullExecutor(Clock clock, LaneLayout layout, int rows, int positions) implements Executor {
    private static final int BLOCK_TOKENS = 16;

    @Override
    public String description() {
        return "null executor";
    }

    @Override
    public List<Lane> lanes() {
        return layout.lanes();
    }

    @Override
    public List<KvGeometry> pools() {
        int blocks = rows * (positions / BLOCK_TOKENS + 2);
        return IntStream.range(0, layout.poolShares().size())
                .mapToObj(pool -> new KvGeometry(new PoolId(pool), BLOCK_TOKENS, blocks, 1)).toList();
    }

    @Override
    public int maxStepPositions() {
        return rows;
    }

    @Override
    public List<ExecutorDevice> devices() {
        return List.of(ExecutorDevice.cpu(new OwnedMemory(0, 0, 0, 0)));
    }

    @Override
    public void submit(Lane lane, LaneJob job, Consumer<StepOutcome> whenDone) {
        long now = clock.nanos();
        whenDone.accept(switch (job) {
            case Step step -> new StepOutcome.Completed(tokens(step), now, now, 0, new float[0][]);
            case KvTransfer _ -> new StepOutcome.Transferred(0, now, now);
        });
    }

    private static int[] tokens(Step step) {
        int sampled = 0;
        for (int i = 0; i < step.slices().size(); i++) {
            sampled += step.slices().get(i).sample() ? 1 : 0;
        }
        int[] tokens = new int[sampled];
        Arrays.fill(tokens, 1);
        return tokens;
    }

    @Override
    public void close() {}
}
