package org.inferometer.benchmark;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.KvGeometry;
import org.inferometer.execution.KvTransfer;
import org.inferometer.execution.OwnedMemory;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.StepSlice;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.PoolId;
import org.inferometer.units.Clock;

/// An executor that computes nothing: every step is over at once and every token is 7.
final class InstantExecutor implements Executor {
    private final Clock clock;
    private final KvGeometry pool;

    InstantExecutor(Clock clock, long kvBytes) {
        this.clock = clock;
        this.pool = new KvGeometry(new PoolId(0), 16, (int) (kvBytes / 1024), 1024);
    }

    @Override
    public String description() {
        return "computes nothing";
    }

    @Override
    public List<Lane> lanes() {
        return List.of(new Lane(new LaneId(0), Lane.Role.ANY, new PoolId(0)));
    }

    @Override
    public List<KvGeometry> pools() {
        return List.of(pool);
    }

    @Override
    public int maxStepPositions() {
        return 1 << 20;
    }

    @Override
    public OwnedMemory memory() {
        return new OwnedMemory(1000, 2000, 300, 40);
    }

    @Override
    public void transfer(Lane lane, KvTransfer transfer, Consumer<StepOutcome> whenDone) {
        whenDone.accept(new StepOutcome.Failed(new ExecutorException("There is one pool.")));
    }

    @Override
    public void submit(Lane lane, Step step, Consumer<StepOutcome> whenDone) {
        int[] tokens = new int[(int) step.slices().stream().filter(StepSlice::sample).count()];
        Arrays.fill(tokens, 7);
        long now = clock.nanos();
        whenDone.accept(new StepOutcome.Completed(tokens, now, clock.nanos(), 0, new float[0][]));
    }

    @Override
    public void close() {}
}
