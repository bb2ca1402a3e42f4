package org.inferometer.target;

import org.inferometer.execution.Executor;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.Scheduler;
import org.inferometer.serving.EngineListener;
import org.inferometer.serving.EngineLoop;
import org.inferometer.serving.RequestListener;
import org.inferometer.units.Clock;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;

/// An engine served in this process.
///
/// Closing it stops the loop; the executor stays open, and whoever opened it closes it afterwards.
public final class InProcessTarget implements Target {
    private final String description;
    private final EngineLoop loop;

    private InProcessTarget(String description, EngineLoop loop) {
        this.description = description;
        this.loop = loop;
    }

    /// Starts serving.
    ///
    /// @param scheduler a fresh one, for this target alone
    /// @param requests hears on the loop's thread what becomes of each request
    /// @param engine hears on the loop's thread of steps, preemptions and the engine's failure
    /// @throws IllegalArgumentException with one sentence where executor and limits do not fit
    public static InProcessTarget start(Executor executor, Limits limits, Scheduler scheduler, Clock clock,
            RequestListener requests, EngineListener engine) {
        return new InProcessTarget(executor.description(),
                EngineLoop.start(executor, limits, scheduler, clock, requests, engine));
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public void send(Request request) {
        loop.send(request);
    }

    @Override
    public void cancel(RequestId request) {
        loop.cancel(request);
    }

    @Override
    public void arrivalsEnded() {
        loop.arrivalsEnded();
    }

    @Override
    public void close() {
        loop.close();
    }
}
