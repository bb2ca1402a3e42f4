package org.inferometer.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;
import org.inferometer.units.EnvFileException;

/// Constructs the program for a workspace.
public interface CliWiring {
    /// The services of a workspace; called at most once.
    ///
    /// @param workspace value of `--workspace`; empty for the default
    /// @throws EnvFileException if its `.env` file is refused
    CliServices services(Optional<Path> workspace);

    /// Opens the desktop. Where there is no display, imports the file, or runs `run quick` without one.
    ///
    /// @param file a bundle or the folder of a result to show
    /// @param resetUi whether the settings of the desktop are forgotten first
    /// @return the exit code
    int desktop(Optional<Path> workspace, Optional<Path> file, boolean resetUi);

    /// Runs one measured run in this process, as a worker: reads a plan from the input and writes frames to the output, which it owns
    /// meanwhile. Reads no `.env` file: the parent passes what the run needs.
    ///
    /// @return the exit code
    int worker(Optional<Path> workspace, InputStream in, PrintStream out) throws IOException;

    /// "Inferometer 0.2.0".
    String version();
}
