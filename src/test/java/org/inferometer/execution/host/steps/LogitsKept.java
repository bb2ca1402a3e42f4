package org.inferometer.execution.host.steps;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.inferometer.execution.Executor;
import org.inferometer.execution.Executor.ExecutorDevice;
import org.inferometer.execution.Executor.KvGeometry;
import org.inferometer.execution.LaneJob;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.scheduling.Lane;

/// An executor that keeps the logits of every step that another runs.
///
/// @param kept by step number
record LogitsKept(Executor executor, Map<Long, Kept> kept) implements Executor {
    /// @param logits `[sampled slices][vocabulary]`
    record Kept(Step step, float[][] logits) {}

    LogitsKept(Executor executor) {
        this(executor, new ConcurrentHashMap<>());
    }

    @Override
    public void submit(Lane lane, LaneJob job, Consumer<StepOutcome> whenDone) {
        if (!(job instanceof Step step)) {
            executor.submit(lane, job, whenDone);
            return;
        }
        executor.submit(lane, new Step(step.number(), step.slices(), step.paddingRows(), true), outcome -> {
            if (outcome instanceof StepOutcome.Completed done) {
                kept.put(step.number(), new Kept(step, done.logits()));
            }
            whenDone.accept(outcome);
        });
    }

    @Override
    public String description() {
        return executor.description();
    }

    @Override
    public List<Lane> lanes() {
        return executor.lanes();
    }

    @Override
    public List<KvGeometry> pools() {
        return executor.pools();
    }

    @Override
    public int maxStepPositions() {
        return executor.maxStepPositions();
    }

    @Override
    public List<ExecutorDevice> devices() {
        return executor.devices();
    }

    @Override
    public void close() {
        executor.close();
    }
}
