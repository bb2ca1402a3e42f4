package org.inferometer.results.exchange;

import java.util.List;
import org.inferometer.results.ResultFormatException;

/// One kind of file of another tool.
interface ForeignFormat {
    /// The word on a command line: "vllm".
    String word();

    /// Whether a file is of this kind, by what it holds.
    boolean fits(ForeignFile file);

    /// Whether the file has a line for each of what it holds, so that a shorter one is a file too.
    default boolean goesByLines(ForeignFile file) {
        return !file.table().isEmpty() || file.documents().size() > 1;
    }

    /// The runs of a file that fits, at least one.
    ///
    /// @throws ResultFormatException with one sentence where it breaks its own format
    List<ForeignRun> read(ForeignFile file) throws ResultFormatException;
}
