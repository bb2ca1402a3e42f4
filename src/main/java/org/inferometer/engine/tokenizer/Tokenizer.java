package org.inferometer.engine.tokenizer;

/// Turns text into token ids and back. Implementations are safe to share between threads.
public interface Tokenizer {
    /// The token ids of a text, each in 0 .. vocabulary−1.
    int[] encode(String text);

    /// The text of token ids; ids without text give the replacement character.
    String decode(int[] tokens);

    /// The number of token ids the model knows.
    int vocabulary();
}
