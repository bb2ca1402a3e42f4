package org.inferometer.load;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.inferometer.record.LatencyBins;

/// Counters of a phase for live frames. One thread writes each, the frame thread reads them; both are wait-free. The lateness
/// alone is reset by its reader.
public final class LiveCounters {
    /// A value that no target has reported.
    static final int UNKNOWN = -1;

    private final AtomicInteger done = new AtomicInteger();
    private final AtomicInteger notSent = new AtomicInteger();
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicLong lateNanos = new AtomicLong(UNKNOWN);
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger(UNKNOWN);
    private final AtomicLong outputTokens = new AtomicLong();
    private final AtomicLong promptTokens = new AtomicLong();
    private final AtomicLongArray ttftBins = new AtomicLongArray(LatencyBins.COUNT);
    private final AtomicLongArray itlBins = new AtomicLongArray(LatencyBins.COUNT);

    void requestEnded() {
        increment(done);
    }

    /// Counted by the load generator's thread.
    void requestNotSent() {
        increment(notSent);
    }

    /// Counted by the load generator's thread.
    ///
    /// @param late nanoseconds after the intended time
    void requestSent(long late) {
        increment(sent);
        if (late > lateNanos.getAcquire()) {
            lateNanos.accumulateAndGet(late, Math::max);
        }
    }

    /// The worst lateness of a send since the last call, in nanoseconds; -1 if nothing was sent.
    public long takeLateNanos() {
        return lateNanos.getAndSet(UNKNOWN);
    }

    public void queues(int nowRunning, int nowWaiting) {
        running.setRelease(nowRunning);
        waiting.setRelease(nowWaiting);
    }

    void firstToken(long ttftNanos, int prompt) {
        increment(ttftBins, LatencyBins.of(ttftNanos));
        promptTokens.setRelease(promptTokens.getPlain() + prompt);
    }

    void gap(long nanos) {
        increment(itlBins, LatencyBins.of(nanos));
    }

    void tokens(int count) {
        outputTokens.setRelease(outputTokens.getPlain() + count);
    }

    public int done() {
        return done.getAcquire() + notSent.getAcquire();
    }

    /// Running requests; requests in flight if the target does not report its queue.
    public int running() {
        return waiting() == UNKNOWN ? sent.getAcquire() - done.getAcquire() : running.getAcquire();
    }

    public int waiting() {
        return waiting.getAcquire();
    }

    public long outputTokens() {
        return outputTokens.getAcquire();
    }

    public long promptTokens() {
        return promptTokens.getAcquire();
    }

    public long[] ttftBins() {
        return copy(ttftBins);
    }

    public long[] itlBins() {
        return copy(itlBins);
    }

    // One writer: a plain read and a release store suffice, and cost less than a locked increment.
    private static void increment(AtomicInteger counter) {
        counter.setRelease(counter.getPlain() + 1);
    }

    private static void increment(AtomicLongArray counters, int index) {
        counters.setRelease(index, counters.getPlain(index) + 1);
    }

    private static long[] copy(AtomicLongArray counters) {
        long[] copied = new long[counters.length()];
        for (int i = 0; i < copied.length; i++) {
            copied[i] = counters.getAcquire(i);
        }
        return copied;
    }
}
