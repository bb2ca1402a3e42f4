package org.inferometer.cli;

import java.nio.file.Path;
import java.util.Optional;

/// Puts the program together once the command line has said which workspace is meant.
public interface CliWiring {
    /// The services of a workspace; asked at most once.
    ///
    /// @param workspace what `--workspace` says; empty for the usual one
    CliServices services(Optional<Path> workspace);

    /// What happens without a command: the desktop, or `run quick` where there is no display.
    ///
    /// @return the exit code
    int desktop(Optional<Path> workspace);

    /// "Inferometer 0.1.0".
    String version();
}
