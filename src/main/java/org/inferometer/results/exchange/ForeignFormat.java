package org.inferometer.results.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.inferometer.results.ResultFormatException;

/// A result format of another tool.
///
/// @param id on a command line: "vllm"
/// @param content whether a file's content has this format
/// @param lines whether a file that fits has one line per entry: a truncated file is then still valid
/// @param runs of a file that fits, at least one
record ForeignFormat(String id, Predicate<ForeignFile> content, Predicate<ForeignFile> lines,
        Reader<ForeignFile, List<ForeignRun>> runs) {
    /// A table, or several documents.
    static final Predicate<ForeignFile> SEVERAL = file -> !file.table().isEmpty() || file.documents().size() > 1;

    /// Reads a file or a part of one.
    @FunctionalInterface
    interface Reader<P, R> {
        /// @throws ResultFormatException if the file violates its format
        R read(P part) throws ResultFormatException;
    }

    /// A format with one run per document or row.
    ///
    /// @param name of a row for messages: "run"
    static ForeignFormat ofRows(String id, Predicate<ForeignFile> content, Predicate<ForeignFile> lines, String name,
            Reader<ForeignFields, ForeignRun> row) {
        return new ForeignFormat(id, content, lines, file -> {
            List<ForeignRun> runs = new ArrayList<>();
            for (ForeignFields each : ForeignFields.each(file, name)) {
                runs.add(row.read(each));
            }
            if (runs.isEmpty()) {
                throw file.fault("the file has no test.");
            }
            return runs;
        });
    }

    boolean fits(ForeignFile file) {
        return content.test(file);
    }

    boolean goesByLines(ForeignFile file) {
        return lines.test(file);
    }

    List<ForeignRun> read(ForeignFile file) throws ResultFormatException {
        return runs.read(file);
    }
}
