package org.inferometer.measurement;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestOutcome;
import org.inferometer.workload.LoadKind;

/// The part of a run in which its load was offered in full, over which every rate is taken: filling and draining are latency, not speed.
public final class RateWindow {
    /// The share of the requests that end within the time that filling takes.
    private static final double FILLED = 0.95;

    private RateWindow() {}

    /// The window of the measured requests; absent where the load was at no time offered in full.
    ///
    /// Closed loop: from one mean service latency after the last slot was filled to the first end after the last sending. Open loop: from the
    /// P95 of E2E after the first intended send time to the last one. At most the first half is left out. Other loads, and sessions: the window
    /// of the run.
    public static Optional<RunWindow> of(RequestColumns measured, LoadKind load) {
        if (load.sessions()) {
            return RunWindow.of(measured);
        }
        return switch (load.arriving()) {
            case UNKNOWN, OFFLINE -> RunWindow.of(measured);
            case CLOSED -> closed(measured, load.slots());
            case OPEN -> open(measured);
        };
    }

    private static Optional<RunWindow> closed(RequestColumns measured, int slots) {
        RequestColumns asked = measured.where(i -> measured.sentNanos(i) != RequestOutcome.ABSENT);
        long[] sent = asked.longs(asked::sentNanos).sorted().toArray();
        if (sent.length == 0) {
            return RunWindow.of(measured);
        }
        long last = sent[sent.length - 1];
        long end = asked.longs(asked::endNanos).filter(nanos -> nanos > last).min().orElse(last);
        long start = sent[Math.clamp(slots, 1, sent.length) - 1];
        // Slots that began at one instant end together for a while, so that too few requests end in the first time.
        double mean = slots == 1 ? 0 : asked.longs(i -> asked.endNanos(i) - asked.sentNanos(i)).average().orElse(0);
        return window(start + Math.min(Math.round(mean), (end - start) / 2), end);
    }

    private static Optional<RunWindow> open(RequestColumns measured) {
        int[] due = IntStream.range(0, measured.size()).filter(i -> measured.intendedNanos(i) != RequestOutcome.ABSENT)
                .toArray();
        long[] intended = Arrays.stream(due).mapToLong(measured::intendedNanos).sorted().toArray();
        if (intended.length == 0) {
            return RunWindow.of(measured);
        }
        long[] latencies =
                Arrays.stream(due).mapToLong(i -> measured.endNanos(i) - measured.intendedNanos(i)).sorted().toArray();
        long first = intended[0];
        long last = intended[intended.length - 1];
        long filling = Math.max(0, latencies[(int) (FILLED * (latencies.length - 1))]);
        return window(first + Math.min(filling, (last - first) / 2), last);
    }

    private static Optional<RunWindow> window(long start, long end) {
        return end > start ? Optional.of(new RunWindow(start, end)) : Optional.empty();
    }
}
