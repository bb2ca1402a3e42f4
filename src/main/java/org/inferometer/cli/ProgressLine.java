package org.inferometer.cli;

import org.inferometer.report.AlignedColumns;
import org.inferometer.units.Clock;

/// A progress line on standard error that is redrawn in place, and the lines printed around it.
///
/// Safe to call from any thread. Without a terminal only the printed lines appear.
public final class ProgressLine {
    /// Fits an 80-column terminal; a line that wraps cannot be redrawn.
    public static final int COLUMNS = 79;

    private static final long REDRAW_NANOS = 100_000_000L;
    private static final String ERASE = "\r\u001b[K";

    private final Terminal terminal;
    private final Clock clock;
    private boolean drawn;
    private long drawnNanos;

    public ProgressLine(Terminal terminal, Clock clock) {
        this.terminal = terminal;
        this.clock = clock;
        this.drawnNanos = clock.nanos() - REDRAW_NANOS;
    }

    /// Whether the line is drawn at all.
    public boolean isLive() {
        return terminal.liveProgress();
    }

    /// Redraws the line, at most ten times a second.
    public synchronized void draw(String line) {
        long now = clock.nanos();
        if (!isLive() || now - drawnNanos < REDRAW_NANOS) {
            return;
        }
        drawnNanos = now;
        drawn = true;
        terminal.err().print(ERASE + cut(line, COLUMNS));
        terminal.err().flush();
    }

    /// Prints a line that stays.
    public synchronized void print(String line) {
        clear();
        terminal.err().println(line);
        terminal.err().flush();
    }

    /// Removes the drawn line.
    public synchronized void clear() {
        if (drawn) {
            terminal.err().print(ERASE);
            terminal.err().flush();
            drawn = false;
        }
    }

    /// "[########------------]".
    public static String bar(double fraction, int signs) {
        int full = (int) Math.clamp(Math.floor(fraction * signs), 0, signs);
        return "[" + "#".repeat(full) + "-".repeat(signs - full) + "]";
    }

    public static String cut(String text, int columns) {
        if (AlignedColumns.length(text) <= columns) {
            return text;
        }
        if (columns < 2) {
            return "";
        }
        return text.substring(0, text.offsetByCodePoints(0, columns - 1)) + "…";
    }
}
