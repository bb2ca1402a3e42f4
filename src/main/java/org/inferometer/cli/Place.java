package org.inferometer.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Where a command works, and what it loads.
///
/// @param workspace value of `--workspace`; empty for the default
/// @param plugins values of `--plugin`
public record Place(Optional<Path> workspace, List<Path> plugins) {
    public Place {
        plugins = List.copyOf(plugins);
    }
}
