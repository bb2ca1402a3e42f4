package org.inferometer.target.edgellm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.workload.Request;

/// A command-line tool: its commands and its results.
sealed interface Tool permits InferenceTool, BenchTool {
    /// Whether one process can run both requests.
    boolean together(Request first, Request second);

    /// Writes the input files and returns the commands, to run one after another.
    ///
    /// @param folder empty; removed afterwards
    /// @throws IOException if the folder cannot be written
    List<List<String>> commands(List<Request> batch, Path folder) throws IOException;

    /// Reads the results after all processes have ended well.
    ///
    /// @throws ToolFailure if they are missing or invalid, or report failed requests
    ToolResult read(List<Request> batch, Path folder) throws ToolFailure;

    /// A caveat about the measurements, for the user.
    String caution();
}
