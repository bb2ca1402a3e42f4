package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.inferometer.measurement.definitions.Definition;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.results.AtomicFile;
import org.inferometer.results.exchange.Exporter;
import org.inferometer.results.exchange.TableExporter;

/// Exports the complete runs of a result, or its metrics as one table, as files of another tool. Blocks.
///
/// @param files one per run, or one table
/// @param leftOut one sentence per run that was not exported
public record ResultExport(List<Path> files, List<String> leftOut) {
    private static final String JSON_LINES = "aiperf";

    /// The names of the formats.
    public static List<String> formats() {
        return Stream.concat(Exporter.formatNames().stream(),
                Arrays.stream(TableExporter.Table.values()).map(TableExporter.Table::id)).toList();
    }

    /// The display name of a format: "vLLM".
    public static String label(String format) {
        return Arrays.stream(Definition.values()).filter(tool -> tool.id().equals(format)).findFirst()
                .map(Definition::label).orElse(format);
    }

    /// Writes the files. Existing files are not replaced.
    ///
    /// @param format one of [#formats]
    /// @throws IOException with one sentence when nothing was written or a file exists; written files are deleted
    public static ResultExport write(ExperimentRecord experiment, String format, Path folder) throws IOException {
        Optional<TableExporter.Table> table = TableExporter.Table.of(format);
        return table.isPresent() ? table(experiment, table.get(), folder) : runs(experiment, format, folder);
    }

    private static ResultExport table(ExperimentRecord experiment, TableExporter.Table table, Path folder)
            throws IOException {
        Path file = folder.resolve(table.fileName());
        if (Files.exists(file)) {
            throw new IOException(text("export.in-the-way", file));
        }
        try {
            AtomicFile.write(file, TableExporter.of(experiment.manifest(), table).getBytes(StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw new IOException(String.valueOf(e.getMessage()), e);
        }
        return new ResultExport(List.of(file), List.of());
    }

    private static ResultExport runs(ExperimentRecord experiment, String format, Path folder) throws IOException {
        List<RunRecord> runs =
                experiment.runs().stream().filter(run -> run.manifest().status() == RunStatus.COMPLETE).toList();
        if (runs.isEmpty()) {
            throw new IOException(text("export.no-run", experiment.manifest().id()));
        }
        for (RunRecord run : runs) {
            Path file = file(folder, run, format);
            if (Files.exists(file)) {
                throw new IOException(text("export.in-the-way", file));
            }
        }
        List<Path> files = new ArrayList<>();
        List<String> leftOut = new ArrayList<>();
        for (RunRecord run : runs) {
            try {
                byte[] content = Exporter.of(run, format).getBytes(StandardCharsets.UTF_8);
                AtomicFile.write(file(folder, run, format), content);
                files.add(file(folder, run, format));
            } catch (IllegalArgumentException e) {
                leftOut.add(String.valueOf(e.getMessage()));
            } catch (IOException e) {
                takeBack(files, e);
                throw e;
            }
        }
        if (files.isEmpty()) {
            throw new IOException(leftOut.getFirst());
        }
        return new ResultExport(List.copyOf(files), List.copyOf(leftOut));
    }

    /// Deletes the written files; failures are added to the cause.
    private static void takeBack(List<Path> files, IOException cause) {
        for (Path file : files) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException kept) {
                cause.addSuppressed(kept);
            }
        }
    }

    private static Path file(Path folder, RunRecord run, String format) {
        return folder.resolve(run.folderName() + "-" + format + (format.equals(JSON_LINES) ? ".jsonl" : ".json"));
    }
}
