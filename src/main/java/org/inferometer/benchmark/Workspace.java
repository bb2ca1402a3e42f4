package org.inferometer.benchmark;

import java.nio.file.Files;
import java.nio.file.Path;

/// The folders a person works in: engines to run, results that were measured, samples that came along.
///
/// @param installation where the program lies with what came along
public record Workspace(Path root, Path installation) {
    /// A workspace that is the program's own folder.
    public Workspace(Path root) {
        this(root, root);
    }

    /// One folder per engine.
    public Path engines() {
        return root.resolve("engines");
    }

    /// One folder per experiment.
    public Path results() {
        return root.resolve("results");
    }

    /// Recorded runs that came with the program; those of the workspace where it has some.
    public Path sampleResults() {
        Path own = root.resolve("sample-results");
        return Files.isDirectory(own) ? own : installation.resolve("sample-results");
    }
}
