package org.inferometer.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The folders a person works in: engines to run, results that were measured, samples that came along.
///
/// @param installation folder of the installed program and its files
public record Workspace(Path root, Path installation) {
    /// A workspace that is the program's own folder.
    public Workspace(Path root) {
        this(root, root);
    }

    /// One folder per engine.
    public Path engines() {
        return root.resolve("engines");
    }

    /// Where engines and recipes are looked for: the workspace's own, then those that came with the program.
    public List<Path> engineFolders() {
        return Stream.of(engines(), installation.resolve("engines")).distinct().toList();
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
