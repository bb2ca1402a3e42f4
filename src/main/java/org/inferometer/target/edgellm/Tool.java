package org.inferometer.target.edgellm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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

    /// A failure of a tool, as one sentence.
    final class ToolFailure extends Exception {
        private static final long serialVersionUID = 1L;

        ToolFailure(String sentence) {
            super(sentence);
        }

        /// The sentence.
        String message() {
            return String.valueOf(getMessage());
        }
    }

    /// The result of a batch, as reported by the tool.
    ///
    /// @param prefillNanos prefill of the whole batch
    /// @param decodeNanos from the first token of the batch to its last
    /// @param requests token counts of each request, in order
    /// @param peakBytes memory peaks in bytes, by the tool's names
    /// @param speculation counts of speculative decoding, by the tool's names
    record ToolResult(long prefillNanos, long decodeNanos, List<RequestTokens> requests, Map<String, Double> peakBytes,
            Map<String, Double> speculation) {
        /// A result without speculative decoding.
        ToolResult(long prefillNanos, long decodeNanos, List<RequestTokens> requests, Map<String, Double> peakBytes) {
            this(prefillNanos, decodeNanos, requests, peakBytes, Map.of());
        }

        /// The token counts of one request.
        record RequestTokens(int promptTokens, int outputTokens) {}

        /// The whole.
        long nanos() {
            return prefillNanos + decodeNanos;
        }
    }
}
