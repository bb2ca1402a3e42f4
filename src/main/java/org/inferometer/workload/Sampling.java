package org.inferometer.workload;

/// How the next token is sampled from the logits.
///
/// The random number of a position depends on the seed and the position only, not on scheduler or batch.
///
/// @param temperature 0 for greedy, else the divisor of the logits
/// @param topK number of likeliest tokens to keep; 0 keeps all
/// @param topP keep the smallest set of likeliest tokens with at least this probability; 1 keeps all
/// @param answers number of answers to the prompt, each sampled on its own
public record Sampling(double temperature, int topK, double topP, long seed, int answers) {
    /// Always the likeliest token.
    public static final Sampling GREEDY = new Sampling(0, 0, 1, 0);

    /// One answer.
    public Sampling(double temperature, int topK, double topP, long seed) {
        this(temperature, topK, topP, seed, 1);
    }

    /// Whether no random number is needed.
    public boolean greedy() {
        return temperature == 0;
    }
}
