package org.inferometer.engine.tokenizer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.stream.Collectors;

/// Stands in for a tokenizer that is not read: prompts are drawn ids, and text is refused.
public record DrawnIds(int vocabulary) implements Tokenizer {
    /// Its name in engine files.
    public static final String NAME = "none";

    /// @throws UncheckedIOException always, with a sentence
    @Override
    public int[] encode(String text) {
        throw new UncheckedIOException(new IOException(
                "The engine's own tokenizer is not read, so text cannot be its prompt. Use drawn prompts, or lengths only."));
    }

    /// "#17 #4".
    @Override
    public String decode(int[] tokens) {
        return Arrays.stream(tokens).mapToObj(token -> "#" + token).collect(Collectors.joining(" "));
    }
}
