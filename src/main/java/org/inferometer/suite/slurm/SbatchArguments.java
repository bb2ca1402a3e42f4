package org.inferometer.suite.slurm;

import java.util.List;

/// The arguments of `sbatch`, without the command itself.
///
/// @param notes sentences about what was left out or changed
public record SbatchArguments(List<String> words, List<String> notes) {
    public SbatchArguments {
        words = List.copyOf(words);
        notes = List.copyOf(notes);
    }
}
