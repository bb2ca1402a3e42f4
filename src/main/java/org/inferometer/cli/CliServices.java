package org.inferometer.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import org.inferometer.run.Workspace;

/// What the commands work with in one workspace; `app` puts it together.
public record CliServices(Workspace workspace, RunServices run, EngineShelf engines, ResultServices results,
        MachineServices machine, WorkerMode worker) {

    /// The process in which a measured run happens.
    public interface WorkerMode {
        /// Reads a plan from the input, runs it and writes frames to the output, to which nobody else writes.
        ///
        /// @return the exit code
        int run(InputStream in, PrintStream out) throws IOException;
    }
}
