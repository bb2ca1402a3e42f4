package org.inferometer.engine.tokenizer;

import java.util.Arrays;

/// Turns tokens into text as they come. A character whose bytes are spread over tokens appears with its last one. One thread.
///
/// Only the newest tokens are decoded: a tokenizer's text of a token depends on the one before it.
public final class TextStream {
    private static final char INCOMPLETE = '\uFFFD';
    /// A character has four bytes; more incomplete tokens are no text.
    private static final int MOST_PENDING = 8;

    private final Tokenizer tokenizer;
    private int[] tokens = new int[64];
    private int count;
    private int context; // start of the tokens that are decoded
    private int shown; // tokens whose text was returned

    public TextStream(Tokenizer tokenizer) {
        this.tokenizer = tokenizer;
    }

    /// The text that the token completes; empty while a character is incomplete.
    public String next(int token) {
        if (count == tokens.length) {
            tokens = Arrays.copyOf(tokens, 2 * count);
        }
        tokens[count++] = token;
        String all = tokenizer.decode(Arrays.copyOfRange(tokens, context, count));
        boolean incomplete = !all.isEmpty() && all.charAt(all.length() - 1) == INCOMPLETE;
        return incomplete && count - shown < MOST_PENDING ? "" : taken(all);
    }

    /// The text of tokens that were held back, at the end.
    public String rest() {
        return shown == count ? "" : taken(tokenizer.decode(Arrays.copyOfRange(tokens, context, count)));
    }

    private String taken(String all) {
        String before = tokenizer.decode(Arrays.copyOfRange(tokens, context, shown));
        context = shown;
        shown = count;
        return all.startsWith(before) ? all.substring(before.length()) : all;
    }
}
