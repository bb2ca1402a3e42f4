package org.inferometer.simulation;

import org.inferometer.load.WaitStrategy;
import org.inferometer.serving.VirtualEngine;
import org.inferometer.target.Target;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;

/// An engine in virtual time as the target of the load generator: time passes while the generator waits. One thread.
final class VirtualTarget implements Target, WaitStrategy {
    private final VirtualEngine engine;
    private final SendDelays delays;
    private boolean ended;
    private long lastArrivalNanos;

    VirtualTarget(VirtualEngine engine, SendDelays delays) {
        this.engine = engine;
        this.delays = delays;
    }

    /// Wakes the load generator, since a request has ended.
    void requestEnded() {
        ended = true;
    }

    @Override
    public void until(long deadlineNanos) {
        ended = false;
        engine.runUntil(deadlineNanos, () -> ended);
        if (ended) {
            pass(delays.wakeNanos());
        } else if (deadlineNanos == Long.MAX_VALUE) {
            throw new IllegalStateException("Nothing happens any more, and requests have not ended.");
        }
    }

    /// The load generator is busy for so long.
    private void pass(long nanos) {
        engine.runUntil(engine.clock().nanos() + nanos, () -> false);
    }

    @Override
    public String description() {
        return "engine in virtual time";
    }

    @Override
    public void send(Request request) {
        long now = engine.clock().nanos();
        // The mailbox hands over together what was posted before its reader woke.
        lastArrivalNanos = lastArrivalNanos > now ? lastArrivalNanos : now + delays.arrivalNanos();
        engine.sendAt(lastArrivalNanos, request);
        pass(delays.spacingNanos());
    }

    @Override
    public void cancel(RequestId request) {
        engine.cancelAt(notBeforeLast(engine.clock().nanos()), request);
    }

    @Override
    public void arrivalsEnded() {
        engine.arrivalsEndAt(notBeforeLast(engine.clock().nanos()));
    }

    private long notBeforeLast(long nanos) {
        return Math.max(lastArrivalNanos, nanos);
    }

    @Override
    public void close() {
        // The engine holds nothing.
    }
}
