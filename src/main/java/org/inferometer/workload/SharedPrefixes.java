package org.inferometer.workload;

import java.util.random.RandomGenerator;
import org.inferometer.units.Seed;

/// Shared prefixes of prompts, like system prompts: one for all, or several of which each prompt draws one.
final class SharedPrefixes {
    private final int[][] prefixes;
    private final RandomGenerator choice;

    /// @param whole seed of the run: warm-up and measured requests have the same prefixes
    /// @param phase seed of the choices
    SharedPrefixes(int groups, int tokens, DrawnTokens drawn, Seed whole, Seed phase) {
        Seed seed = whole.part("shared prefix");
        this.prefixes = new int[groups][];
        for (int group = 0; group < groups; group++) {
            prefixes[group] = drawn.draw(tokens, group == 0 ? seed : seed.part(group));
        }
        this.choice = phase.part("prefix groups").generator();
    }

    /// `[tokens]` the prefix of the next prompt; never changed.
    int[] next() {
        return prefixes.length == 1 ? prefixes[0] : prefixes[choice.nextInt(prefixes.length)];
    }
}
