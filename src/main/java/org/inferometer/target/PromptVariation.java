package org.inferometer.target;

import java.util.random.RandomGenerator;
import org.inferometer.units.Seed;

/// Gives a run other prompts of the same lengths, so that no cache of an earlier run holds them.
///
/// Token ids are exchanged by a permutation: what prompts of a run share, they share still. Thread-safe.
public final class PromptVariation {
    /// Prompts as they were drawn.
    public static final PromptVariation NONE = within(Integer.MAX_VALUE);

    private final int[] exchanged;
    private final int vocabulary;

    private PromptVariation(int[] exchanged, int vocabulary) {
        this.exchanged = exchanged;
        this.vocabulary = vocabulary;
    }

    /// Prompts as they were drawn, of ids below the vocabulary: larger ones begin at 0 again.
    public static PromptVariation within(int vocabulary) {
        return new PromptVariation(new int[0], vocabulary);
    }

    /// The variation of a run.
    ///
    /// @param vocabulary ids below it are exchanged; larger ones begin at 0 again
    public static PromptVariation of(long seed, int vocabulary) {
        int[] ids = new int[vocabulary];
        RandomGenerator random = new Seed(seed).part("prompt variation").generator();
        // Fisher-Yates, from the inside out.
        for (int i = 0; i < vocabulary; i++) {
            int j = random.nextInt(i + 1);
            ids[i] = ids[j];
            ids[j] = i;
        }
        return new PromptVariation(ids, vocabulary);
    }

    /// The ids to send in the place of the drawn ones.
    public int[] of(int[] drawn) {
        int[] ids = drawn.clone();
        for (int i = 0; i < ids.length; i++) {
            if (ids[i] >= 0) {
                int known = ids[i] % vocabulary;
                ids[i] = exchanged.length == 0 ? known : exchanged[known];
            }
        }
        return ids;
    }
}
