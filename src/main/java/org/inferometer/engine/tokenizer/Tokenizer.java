package org.inferometer.engine.tokenizer;

/// Encodes text to token ids and decodes them. Thread-safe.
public interface Tokenizer {
    /// The token ids of a text, each in 0 .. vocabulary−1.
    int[] encode(String text);

    /// The text of token ids; ids without text become the replacement character.
    String decode(int[] tokens);

    /// Number of token ids of the model.
    int vocabulary();
}
