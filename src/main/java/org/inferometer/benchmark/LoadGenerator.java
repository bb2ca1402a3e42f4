package org.inferometer.benchmark;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.inferometer.target.Target;
import org.inferometer.units.Clock;
import org.inferometer.workload.Arrival;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.Request;

/// Sends the requests of one phase when they are due and waits until all have ended.
///
/// Runs on the thread that calls [#run]; absolute deadlines, parked first and spun for the last stretch. `intended` never moves
/// because the generator was late, so lateness counts against the system and is recorded.
final class LoadGenerator {
    private static final long SPIN_NANOS = 60_000;
    private static final long IDLE_PARK_NANOS = 50_000_000;

    private final Clock clock;
    private final AtomicBoolean cancelled;
    private final Queue<Long> freedNanos = new ConcurrentLinkedQueue<>();
    private final AtomicInteger ended = new AtomicInteger();
    private volatile Thread generator = Thread.currentThread();

    /// @param cancelled once true, nothing more is sent and the phase is left
    LoadGenerator(Clock clock, AtomicBoolean cancelled) {
        this.clock = clock;
        this.cancelled = cancelled;
    }

    /// Tells that a request ended; called on the target's thread.
    void requestEnded(long nanos) {
        freedNanos.add(nanos);
        ended.incrementAndGet();
        LockSupport.unpark(generator);
    }

    /// Sends everything; true when every request has ended, false when it was cancelled before.
    boolean run(RunPhase phase, Target target, RequestRecorder recorder) {
        generator = Thread.currentThread();
        long phaseStart = clock.nanos();
        int slots = switch (phase.arrivals()) {
            case ArrivalProcess.ClosedLoop(int concurrency) -> concurrency;
            case ArrivalProcess.Poisson poisson -> Integer.MAX_VALUE;
        };
        int sent = 0;
        for (Request request : phase.requests()) {
            long intended = switch (request.arrival()) {
                case Arrival.At(long offset) -> phaseStart + offset;
                case Arrival.WhenFree(long think) -> (sent < slots ? phaseStart : awaitFree()) + think;
            };
            awaitInstant(intended);
            if (cancelled.getAcquire()) {
                return false;
            }
            recorder.sending(request.id(), intended, clock.nanos());
            target.send(request);
            sent++;
        }
        target.arrivalsEnded();
        while (ended.get() < sent && !cancelled.getAcquire()) {
            LockSupport.parkNanos(this, IDLE_PARK_NANOS);
        }
        return ended.get() >= sent;
    }

    private long awaitFree() {
        while (!cancelled.getAcquire()) {
            Long freed = freedNanos.poll();
            if (freed != null) {
                return freed;
            }
            LockSupport.parkNanos(this, IDLE_PARK_NANOS);
        }
        return clock.nanos();
    }

    private void awaitInstant(long deadline) {
        for (long left = deadline - clock.nanos(); left > 0 && !cancelled.getAcquire(); left = deadline - clock.nanos()) {
            if (left > SPIN_NANOS) {
                LockSupport.parkNanos(this, Math.min(left - SPIN_NANOS, IDLE_PARK_NANOS));
            } else {
                Thread.onSpinWait();
            }
        }
    }
}
