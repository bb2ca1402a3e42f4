package org.inferometer.quality;

import java.util.ArrayList;
import java.util.List;

/// A part of a text that a model reads at once, and the tokens in it that count.
///
/// @param begin first token that is read
/// @param scored first token that counts; the ones before it are context
/// @param end after the last token
public record ScoredWindow(int begin, int scored, int end) {
    /// The windows of a text: each begins a stride after the one before, and counts the tokens that no earlier window counted.
    ///
    /// The first token of a text has no context and never counts. Source: the sliding window of Hugging Face's guide on perplexity.
    ///
    /// @param stride from 1 to the window
    static List<ScoredWindow> of(int tokens, int window, int stride) {
        if (stride < 1 || stride > window || window < 2) {
            throw new IllegalArgumentException("window " + window + ", stride " + stride);
        }
        List<ScoredWindow> windows = new ArrayList<>();
        int counted = 1;
        for (int begin = 0; counted < tokens; begin += stride) {
            int end = Math.min(tokens, begin + window);
            windows.add(new ScoredWindow(begin, Math.max(counted, begin + 1), end));
            counted = end;
        }
        return windows;
    }

    /// Tokens that count.
    int count() {
        return end - scored;
    }
}
