package org.inferometer.serving;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.inferometer.execution.Executor;
import org.inferometer.execution.Executor.ExecutorDevice;
import org.inferometer.execution.Executor.KvGeometry;
import org.inferometer.execution.LaneJob;
import org.inferometer.execution.StepOutcome;
import org.inferometer.scheduling.Lane;

/// An executor without a model: its lanes have threads like a real one's, and a step model says what comes of a step.
public class FakeExecutor implements Executor {
    private final EngineSetup setup;
    private final StepModel model;
    private final List<ExecutorService> threads;

    public FakeExecutor(EngineSetup setup, StepModel model) {
        this.setup = setup;
        this.model = model;
        this.threads = setup.lanes().stream().map(lane -> Executors.newSingleThreadExecutor()).toList();
    }

    @Override
    public String description() {
        return "fake";
    }

    @Override
    public List<Lane> lanes() {
        return setup.lanes();
    }

    @Override
    public List<KvGeometry> pools() {
        return setup.pools();
    }

    @Override
    public int maxStepPositions() {
        return setup.limits().maxStepPositions();
    }

    @Override
    public List<ExecutorDevice> devices() {
        return List.of(ExecutorDevice.cpu(setup.memory().get()));
    }

    @Override
    public void submit(Lane lane, LaneJob job, Consumer<StepOutcome> whenDone) {
        threads.get(lane.id().index()).execute(() -> whenDone.accept(model.outcome(lane, job, System.nanoTime())));
    }

    @Override
    public void close() {
        threads.forEach(ExecutorService::close);
    }
}
