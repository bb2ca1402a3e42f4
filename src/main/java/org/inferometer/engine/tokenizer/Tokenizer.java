package org.inferometer.engine.tokenizer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.stream.Collectors;

/// Encodes text to token ids and decodes them. Thread-safe; the owner closes it.
public interface Tokenizer extends AutoCloseable {
    /// The token ids of a text, each in 0 .. vocabulary−1.
    int[] encode(String text);

    /// The token ids of a text that a chat template made: it has its special tokens already.
    default int[] encodeRendered(String text) {
        return encode(text);
    }

    /// The text of token ids; ids without text become the replacement character, or nothing.
    String decode(int[] tokens);

    /// Number of token ids of the model.
    int vocabulary();

    /// Frees what the tokenizer holds; it is not used afterwards.
    @Override
    default void close() {}

    /// Stands in for a tokenizer that is not read: prompts are drawn ids, and text is refused.
    record DrawnIds(int vocabulary) implements Tokenizer {
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
}
