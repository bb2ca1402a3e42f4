package org.inferometer.target.edgellm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.workload.Request;

/// One of the command-line tools: how it is asked, and what it left behind.
sealed interface Tool permits InferenceTool, BenchTool {
    /// Whether two requests can be computed by one process.
    boolean together(Request first, Request second);

    /// Writes what the tool reads and says how it is called, one process after another.
    ///
    /// @param folder empty, and removed afterwards
    /// @throws IOException when the folder cannot be written
    List<List<String>> commands(List<Request> batch, Path folder) throws IOException;

    /// Reads what the processes wrote, once all of them ended well.
    ///
    /// @throws ToolFault in one sentence where it is missing, broken or says that the requests failed
    ToolResult read(List<Request> batch, Path folder) throws ToolFault;

    /// What people must know of the figures, in one sentence.
    String caution();
}
