package org.inferometer.ui.bench;

import java.util.Locale;
import org.inferometer.units.QuantityText;

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
