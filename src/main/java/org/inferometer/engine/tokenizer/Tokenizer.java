package org.inferometer.engine.tokenizer;

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
}
