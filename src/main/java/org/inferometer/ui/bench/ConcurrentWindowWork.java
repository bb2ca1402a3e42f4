package org.inferometer.ui.bench;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.record.WindowAction;

/// Work of the window beside an experiment, for the records of its runs.
///
/// Not thread-safe; [LiveRecorder] guards it.
final class ConcurrentWindowWork {
    private final List<Entry> entries = new ArrayList<>();

    /// Work that began; times are those of this process.
    static final class Entry {
        private final String name;
        private final long startNanos;
        private long endNanos = Long.MAX_VALUE;

        private Entry(String name, long startNanos) {
            this.name = name;
            this.startNanos = startNanos;
        }
    }

    /// Work begins.
    Entry begin(String name, long nowNanos) {
        Entry entry = new Entry(name, nowNanos);
        entries.add(entry);
        return entry;
    }

    /// Work that began ends.
    void end(Entry work, long nowNanos) {
        work.endNanos = nowNanos;
    }

    /// Another run begins: work that has ended belongs to none of the next.
    void nextRun() {
        entries.removeIf(entry -> entry.endNanos != Long.MAX_VALUE);
    }

    /// What overlaps a run that is now ending, in order.
    List<WindowAction> during(RunClock clock, long nowNanos) {
        if (!clock.isKnown()) {
            return List.of();
        }
        List<WindowAction> actions = new ArrayList<>();
        for (Entry entry : entries) {
            long start = Math.max(0, clock.at(entry.startNanos));
            long end = clock.at(Math.min(entry.endNanos, nowNanos));
            if (end >= start) {
                actions.add(new WindowAction(entry.name, start, end - start));
            }
        }
        return actions;
    }

    /// The clock of a run as this process sees it: a message is never received before it was sent, so the smallest difference of
    /// all messages is the best estimate. Late by the shortest transfer of a message, usually below a millisecond.
    ///
    /// Not thread-safe; [LiveRecorder] guards it.
    static final class RunClock {
        private long offset = Long.MAX_VALUE;

        /// A message was received.
        ///
        /// @param sentNanos since the run's anchor
        /// @param nowNanos of this process
        void received(long sentNanos, long nowNanos) {
            offset = Math.min(offset, nowNanos - sentNanos);
        }

        /// Whether a message was received.
        boolean isKnown() {
            return offset != Long.MAX_VALUE;
        }

        /// Nanoseconds since the run's anchor.
        long at(long nowNanos) {
            return nowNanos - offset;
        }

        /// Forgets everything for the next run.
        void reset() {
            offset = Long.MAX_VALUE;
        }
    }
}
