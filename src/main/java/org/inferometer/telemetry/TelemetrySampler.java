package org.inferometer.telemetry;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.inferometer.record.TelemetrySample;
import org.inferometer.units.Clock;
import org.inferometer.units.ThreadEnd;

/// Samples every period on its own thread until closed.
///
/// Samples are delivered on that thread in order of time; a slow receiver delays the next sample.
/// The caller closes it; nothing is delivered after `close` has returned.
public final class TelemetrySampler implements AutoCloseable {
    /// The shortest period.
    public static final int SHORTEST_PERIOD_MILLIS = 10;
    /// The longest period.
    public static final int LONGEST_PERIOD_MILLIS = 1000;

    private final TelemetrySource source;
    private final Clock clock;
    private final long anchorNanos;
    private final Consumer<TelemetrySample> receiver;
    private final Deadlines deadlines; // under its own monitor
    private final Thread thread;
    private volatile boolean closing;
    private long closedNanos = Long.MAX_VALUE; // under the deadlines' monitor
    private final AtomicLong lost = new AtomicLong();

    private TelemetrySampler(TelemetrySource source, Clock clock, long anchorNanos, int periodMillis,
            Consumer<TelemetrySample> receiver) {
        this.source = source;
        this.clock = clock;
        this.anchorNanos = anchorNanos;
        this.receiver = receiver;
        this.deadlines = new Deadlines(clock.nanos(), periodMillis * 1_000_000L);
        this.thread = Thread.ofPlatform().name("telemetry").daemon(true).unstarted(this::sample);
    }

    /// Starts sampling; the first sample is taken at once.
    ///
    /// @param anchorNanos the clock's reading at instant 0 of the run
    /// @param periodMillis [#SHORTEST_PERIOD_MILLIS] to [#LONGEST_PERIOD_MILLIS]
    public static TelemetrySampler start(TelemetrySource source, Clock clock, long anchorNanos, int periodMillis,
            Consumer<TelemetrySample> receiver) {
        if (periodMillis < SHORTEST_PERIOD_MILLIS || periodMillis > LONGEST_PERIOD_MILLIS) {
            throw new IllegalArgumentException("The telemetry period must be between " + SHORTEST_PERIOD_MILLIS
                    + " and " + LONGEST_PERIOD_MILLIS + " ms, not " + periodMillis + " ms.");
        }
        TelemetrySampler sampler = new TelemetrySampler(source, clock, anchorNanos, periodMillis, receiver);
        sampler.thread.start();
        return sampler;
    }

    /// Missing samples: deadlines that passed a whole period ago, and failed readings or deliveries. A
    /// pending deadline counts as soon as it is a whole period late, so that missing samples at the end
    /// are counted.
    public long droppedSamples() {
        synchronized (deadlines) {
            return deadlines.missed() + deadlines.overdue(Math.min(clock.nanos(), closedNanos)) + lost.get();
        }
    }

    /// Stops and waits for the current sample.
    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(thread);
        ThreadEnd.await(thread);
        synchronized (deadlines) {
            closedNanos = Math.min(clock.nanos(), closedNanos);
        }
    }

    private void sample() {
        while (!closing) {
            // Only this thread advances the deadlines, so it reads them without their monitor.
            long early = deadlines.nextNanos() - clock.nanos();
            if (early > 0) {
                LockSupport.parkNanos(this, early);
            } else {
                long now = clock.nanos();
                synchronized (deadlines) {
                    deadlines.advance(now);
                }
                deliver(now - anchorNanos);
            }
        }
    }

    private void deliver(long nanos) {
        try {
            receiver.accept(source.read(nanos));
        } catch (RuntimeException unreadable) {
            lost.incrementAndGet();
        }
    }
}
