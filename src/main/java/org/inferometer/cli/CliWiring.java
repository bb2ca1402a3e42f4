package org.inferometer.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import org.inferometer.plugin.PluginException;
import org.inferometer.selfcheck.WindowCheck;
import org.inferometer.selfcheck.WindowCheckOptions;
import org.inferometer.units.EnvFileException;

/// Constructs the program for a workspace.
public interface CliWiring {
    /// The services of a workspace; called at most once.
    ///
    /// @throws EnvFileException if its `.env` file is refused
    /// @throws PluginException if a plug-in is refused
    CliServices services(Place place);

    /// Opens the desktop, or hands the file to the window that the workspace has. Where there is no display, imports the file, or runs
    /// `run quick` without one.
    ///
    /// @return the exit code
    int desktop(Place place, DesktopStart start);

    /// Runs one measured run in this process, as a worker: reads a plan from the input and writes frames to the output, which it owns
    /// meanwhile. Reads no `.env` file: the parent passes what the run needs.
    ///
    /// @return the exit code
    int worker(Place place, InputStream in, PrintStream out) throws IOException;

    /// Opens the window in this process, measures it and ends. Prints a line of JSON for each figure.
    ///
    /// @param workspace has the generated results
    /// @return the exit code
    int measureWindow(Path workspace, WindowCheck check, WindowCheckOptions options, PrintStream out)
            throws IOException, InterruptedException;

    /// "Inferometer 0.2.0".
    String version();
}
