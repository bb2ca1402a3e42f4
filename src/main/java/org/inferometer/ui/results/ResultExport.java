package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.inferometer.measurement.definitions.Definition;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.results.UnfinishedFolder;
import org.inferometer.results.exchange.ExportFiles;

/// Exports the complete runs of a result, or its metrics as one table, as files of another tool. Blocks.
///
/// @param files one per run, or one table
/// @param leftOut one sentence per run that was not exported
public record ResultExport(List<Path> files, List<String> leftOut) {
    /// The display name of a format: "vLLM".
    public static String label(String format) {
        return Arrays.stream(Definition.values()).filter(tool -> tool.id().equals(format)).findFirst()
                .map(Definition::label).orElse(format);
    }

    /// Writes the files. Existing files are not replaced.
    ///
    /// @param format one of [ExportFiles#formats]
    /// @throws IOException with one sentence when nothing was written or a file exists
    public static ResultExport write(ExperimentRecord experiment, String format, Path folder) throws IOException {
        ExportFiles export;
        try {
            export = ExportFiles.of(experiment, format, Optional.empty());
        } catch (IllegalArgumentException e) {
            throw new IOException(String.valueOf(e.getMessage()), e);
        }
        for (String name : export.texts().keySet()) {
            if (Files.exists(folder.resolve(name))) {
                throw new IOException(text("export.in-the-way", folder.resolve(name)));
            }
        }
        return new ResultExport(UnfinishedFolder.write(folder, export.contents()), export.skipped());
    }
}
