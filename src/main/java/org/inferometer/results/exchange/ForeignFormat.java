package org.inferometer.results.exchange;

import java.util.List;
import org.inferometer.results.ResultFormatException;

/// A result format of another tool.
interface ForeignFormat {
    /// The id on a command line: "vllm".
    String id();

    /// Whether a file's content has this format.
    boolean fits(ForeignFile file);

    /// Whether the file has one line per entry: a truncated file is then still valid.
    default boolean goesByLines(ForeignFile file) {
        return !file.table().isEmpty() || file.documents().size() > 1;
    }

    /// The runs of a file that fits, at least one.
    ///
    /// @throws ResultFormatException if the file violates its format
    List<ForeignRun> read(ForeignFile file) throws ResultFormatException;
}
