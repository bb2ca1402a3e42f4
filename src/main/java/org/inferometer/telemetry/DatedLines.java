package org.inferometer.telemetry;

import java.nio.charset.StandardCharsets;

/// Puts lines together from the pieces in which a tool's output arrives, each dated by when it began: what a tool started to say
/// before it stalled is as old as that, however late it ends the line. Used by one thread.
final class DatedLines {
    private final byte[] line;
    private final Heard heard;
    private int length;
    private long begunNanos;

    /// Hears whole lines.
    @FunctionalInterface
    interface Heard {
        /// @param begunNanos when its first byte arrived
        void line(String line, long begunNanos);
    }

    /// @param longest bytes of a line; longer ones are left out
    DatedLines(int longest, Heard heard) {
        this.line = new byte[longest + 1];
        this.heard = heard;
    }

    /// Takes what has arrived.
    void take(byte[] bytes, int count, long nanos) {
        for (int i = 0; i < count; i++) {
            if (length == 0) {
                begunNanos = nanos;
            }
            if (bytes[i] == '\n') {
                end();
            } else if (length < line.length) {
                line[length++] = bytes[i];
            }
        }
    }

    private void end() {
        if (length < line.length) {
            heard.line(new String(line, 0, length, StandardCharsets.UTF_8), begunNanos);
        }
        length = 0;
    }
}
