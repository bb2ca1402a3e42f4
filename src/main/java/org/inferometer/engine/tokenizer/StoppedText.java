package org.inferometer.engine.tokenizer;

import java.util.List;

/// Shows text as it comes and ends it at the first stop text. What may begin a stop text is held back. One thread.
public final class StoppedText {
    private final List<String> stops;
    private final StringBuilder held = new StringBuilder();
    private boolean stopped;

    /// @param stops none of them empty
    public StoppedText(List<String> stops) {
        this.stops = List.copyOf(stops);
    }

    /// The text that can be shown now.
    public String next(String text) {
        held.append(text);
        int end = stops.stream().mapToInt(held::indexOf).filter(at -> at >= 0).min().orElse(-1);
        if (end >= 0) {
            stopped = true;
            held.setLength(end);
            return rest();
        }
        int shown = held.length() - longestBegin();
        String safe = held.substring(0, shown);
        held.delete(0, shown);
        return safe;
    }

    /// Whether a stop text came.
    public boolean isStopped() {
        return stopped;
    }

    /// What was held back, at the end.
    public String rest() {
        String rest = held.toString();
        held.setLength(0);
        return rest;
    }

    /// Characters at the end that begin a stop text.
    private int longestBegin() {
        int longest = 0;
        for (String stop : stops) {
            for (int length = Math.min(stop.length() - 1, held.length()); length > longest; length--) {
                if (stop.startsWith(held.substring(held.length() - length))) {
                    longest = length;
                }
            }
        }
        return longest;
    }
}
