package org.inferometer.workload;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.inferometer.engine.tokenizer.Tokenizer;
import org.inferometer.units.Seed;

/// Draws token ids uniformly from a vocabulary, within a memory budget.
final class DrawnTokens {
    private final int vocabulary;
    private final TokenBudget budget;

    DrawnTokens(Tokenizer tokenizer, TokenBudget budget) {
        this.vocabulary = tokenizer.vocabulary();
        this.budget = budget;
    }

    /// `[length]` drawn tokens.
    int[] draw(int length, Seed seed) {
        return after(new int[0], length, seed);
    }

    /// `[before.length + length]` the given tokens, then drawn ones.
    int[] after(int[] before, int length, Seed seed) {
        budget.take((long) before.length + length);
        int[] tokens = Arrays.copyOf(before, before.length + length);
        fill(tokens, before.length, tokens.length, seed);
        return tokens;
    }

    /// Draws the tokens from one index up to another.
    void fill(int[] tokens, int from, int to, Seed seed) {
        RandomGenerator random = seed.generator();
        for (int i = from; i < to; i++) {
            tokens[i] = random.nextInt(vocabulary);
        }
    }
}
