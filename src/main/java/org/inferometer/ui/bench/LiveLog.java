package org.inferometer.ui.bench;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import org.inferometer.units.PlainText;
import org.inferometer.units.QuantityText;

/// The last lines of workers and of the experiment's events, at most 5,000 of at most 500 characters. Thread-safe.
public final class LiveLog {
    /// Lines that are kept.
    public static final int MOST_LINES = 5000;
    private static final int MOST_CHARACTERS = 500;
    private final Deque<LogEntry> entries = new ArrayDeque<>();
    private long added;

    /// Adds a line; control characters are replaced.
    ///
    /// @param seconds since the start of its experiment
    public synchronized void add(LogEntry.Level level, double seconds, String text) {
        String line = text.length() > MOST_CHARACTERS ? text.substring(0, MOST_CHARACTERS) + "…" : text;
        entries.add(new LogEntry(added++, level, seconds, PlainText.of(line)));
        if (entries.size() > MOST_LINES) {
            entries.remove();
        }
    }

    /// The kept lines from a number on, in order.
    public synchronized List<LogEntry> from(long number) {
        List<LogEntry> newer = new ArrayList<>();
        for (Iterator<LogEntry> each = entries.descendingIterator(); each.hasNext();) {
            LogEntry entry = each.next();
            if (entry.number() < number) {
                break;
            }
            newer.add(entry);
        }
        return newer.reversed();
    }

    /// Number of the oldest kept line; that of the next one without lines.
    synchronized long oldest() {
        return entries.isEmpty() ? added : entries.getFirst().number();
    }

    /// A line of the log.
    ///
    /// @param number counts all lines since the start of the program
    /// @param seconds since the start of its experiment
    public record LogEntry(long number, Level level, double seconds, String text) {
        /// From least to most severe.
        public enum Level {
            INFO, EVENT, WARNING, ERROR;

            /// The level of a line that a worker wrote, by what Java's logging puts in front.
            static Level of(String level, String line) {
                return level.equals("error") || line.startsWith("SEVERE:") || line.startsWith("ERROR") ? ERROR
                        : level.equals("warning") || line.startsWith("WARNING:") ? WARNING
                        : INFO;
            }
        }

        /// "00:12  warning  The samples come late."
        public String line() {
            return QuantityText.minutesSeconds(seconds) + "  " + level.name().toLowerCase(Locale.ROOT) + "  " + text;
        }
    }
}
