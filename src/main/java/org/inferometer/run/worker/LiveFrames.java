package org.inferometer.run.worker;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.inferometer.load.LiveCounters;
import org.inferometer.load.RunPhase;
import org.inferometer.record.MemoryOwner;
import org.inferometer.record.Phase;
import org.inferometer.record.TelemetrySample;
import org.inferometer.run.WorkerFrame;
import org.inferometer.units.Clock;
import org.inferometer.workload.ArrivalProcess;

/// Sends live frames ten times a second on its own thread, from wait-free counters.
final class LiveFrames implements AutoCloseable {
    private static final long PERIOD_NANOS = 100_000_000;

    private record FramePhase(RunPhase phase, LiveCounters counters, long startNanos) {}

    private final Clock clock;
    private final Consumer<WorkerFrame> frames;
    private volatile FramePhase current = new FramePhase(
            new RunPhase(Phase.LOAD, List.of(), new ArrivalProcess.ClosedLoop(1)), new LiveCounters(), 0);
    private volatile TelemetrySample latest =
            new TelemetrySample(0, new long[MemoryOwner.values().length], 0, 0, 0, 0, 0, null);
    private final Thread thread = Thread.ofPlatform().name("live-frames").daemon().unstarted(this::tick);
    private volatile boolean closed;

    LiveFrames(Clock clock, Consumer<WorkerFrame> frames) {
        this.clock = clock;
        this.frames = frames;
    }

    /// Starts ticking; returns itself for try-with-resources.
    LiveFrames start() {
        thread.start();
        return this;
    }

    void enter(RunPhase phase, LiveCounters counters) {
        long nanos = clock.nanos();
        current = new FramePhase(phase, counters, nanos);
        frames.accept(new WorkerFrame.PhaseStarted(phase.phase(), nanos));
    }

    void sampled(TelemetrySample sample) {
        latest = sample;
    }

    /// Sends a last frame and stops.
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tick() {
        while (!closed) {
            send();
            LockSupport.parkNanos(this, PERIOD_NANOS);
        }
        send();
    }

    private void send() {
        FramePhase now = current;
        if (now.phase.phase() == Phase.LOAD) {
            return;
        }
        LiveCounters counters = now.counters;
        TelemetrySample sample = latest;
        long nanos = clock.nanos();
        int done = counters.done();
        frames.accept(new WorkerFrame.Live(nanos, now.phase.phase(), done, now.phase.total(),
                now.phase.share(done, nanos - now.startNanos), counters.outputTokens(), counters.promptTokens(),
                counters.running(), counters.waiting(), sample.ownerBytes(), sample.totalBytes(),
                sample.processCpuNanos(), counters.ttftBins(), counters.itlBins(), counters.takeLateNanos(),
                sample.gpuReadings().map(WorkerFrame.Gpu::of).orElse(null)));
    }
}
