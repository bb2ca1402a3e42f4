package org.inferometer.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import org.inferometer.plugin.PluginException;
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

    /// "Inferometer 0.2.0".
    String version();
}
