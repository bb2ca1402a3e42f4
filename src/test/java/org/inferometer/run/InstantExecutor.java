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
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.execution.StepOutcome;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.PoolId;
import org.inferometer.units.Clock;

/// An executor that computes nothing: every step and every transfer is over at once and every token is 7.
class InstantExecutor implements Executor {
    private final Clock clock;
    private final LaneLayout layout;
    private final long kvBytes;

    InstantExecutor(Clock clock, LaneLayout layout, long kvBytes) {
        this.clock = clock;
        this.layout = layout;
        this.kvBytes = kvBytes;
    }

    @Override
    public String description() {
        return "computes nothing";
    }

    @Override
    public List<Lane> lanes() {
        return layout.lanes();
    }

    @Override
    public List<KvGeometry> pools() {
        return IntStream.range(0, layout.poolShares().size()).mapToObj(pool -> new KvGeometry(new PoolId(pool), 16,
                (int) (kvBytes / 1024 * layout.poolShares().get(pool)), 1024)).toList();
    }

    @Override
    public int maxStepPositions() {
        return 1 << 20;
    }

    @Override
    public List<ExecutorDevice> devices() {
        return List.of(ExecutorDevice.cpu(new OwnedMemory(1000, 2000, 300, 40)));
    }

    @Override
    public void submit(Lane lane, LaneJob job, Consumer<StepOutcome> whenDone) {
        long now = clock.nanos();
        whenDone.accept(switch (job) {
            case KvTransfer transfer -> new StepOutcome.Transferred(transfer.positions() * 64L, now, clock.nanos());
            case Step step -> {
                int[] tokens = new int[(int) step.slices().stream().filter(StepSlice::sample).count()];
                Arrays.fill(tokens, 7);
                yield new StepOutcome.Completed(tokens, now, clock.nanos(), 0, new float[0][]);
            }
        });
    }

    @Override
    public void close() {}
}
