package org.inferometer.cli;

import java.nio.file.Path;
import java.util.Optional;

/// Constructs the program for a workspace.
public interface CliWiring {
    /// The services of a workspace; called at most once.
    ///
    /// @param workspace value of `--workspace`; empty for the default
    CliServices services(Optional<Path> workspace);

    /// Opens the desktop; runs `run quick` where there is no display.
    ///
    /// @return the exit code
    int desktop(Optional<Path> workspace);

    /// "Inferometer 0.2.0".
    String version();
}
