package org.inferometer.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Recipes of engines as small as the kernels take them, under the names of those that ship: what a worker does is the same, and its
/// kernels are warm in a fraction of the time.
final class SmallestEngines {
    private static final String RECIPE = """
            model: tiny
            precision: %s
            seed: 42
            shape:
              family: llama
              layers: 1
              hidden: 128
              intermediate: 128
              heads: 2
              kv_heads: 1
              head_dim: 64
              vocabulary: 512
              max_positions: 2048
              tied_head: true
              norm_epsilon: 1.0e-5
              rope_theta: 10000.0
            """;

    private SmallestEngines() {}

    /// Writes the recipes of `tiny-fp8` and `tiny-int4` into the engines folder of a workspace; nothing is built.
    static void into(Path workspace) throws IOException {
        for (String precision : List.of("fp8", "int4")) {
            Path folder = Files.createDirectories(workspace.resolve("engines").resolve("tiny-" + precision));
            Files.writeString(folder.resolve("recipe.yaml"), RECIPE.formatted(precision));
        }
    }
}
