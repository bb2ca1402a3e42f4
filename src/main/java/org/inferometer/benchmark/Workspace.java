package org.inferometer.benchmark;

import java.nio.file.Path;

/// The folders a person works in: engines to run, results that were measured, samples that came along.
public record Workspace(Path root) {
    /// One folder per engine.
    public Path engines() {
        return root.resolve("engines");
    }

    /// One folder per experiment.
    public Path results() {
        return root.resolve("results");
    }

    /// Recorded runs that came with the program.
    public Path sampleResults() {
        return root.resolve("sample-results");
    }
}
