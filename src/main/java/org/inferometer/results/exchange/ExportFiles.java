package org.inferometer.results.exchange;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.units.NearMisses;

/// The files of a result in the format of another tool: one for each run, or one table of all cells.
///
/// @param texts contents by file name, at least one
/// @param skipped reasons, one sentence for each run that cannot be exported
public record ExportFiles(Map<String, String> texts, List<String> skipped) {
    private static final String JSON_LINES = "aiperf";

    /// The contents as bytes of UTF-8, by file name, in order.
    public Map<String, byte[]> contents() {
        Map<String, byte[]> contents = new LinkedHashMap<>();
        texts.forEach((name, text) -> contents.put(name, text.getBytes(StandardCharsets.UTF_8)));
        return contents;
    }

    /// The names of the formats.
    public static List<String> formats() {
        return Stream.concat(Exporter.formatNames().stream(),
                Arrays.stream(TableExporter.Table.values()).map(TableExporter.Table::id)).toList();
    }

    /// Exports a result; writes nothing.
    ///
    /// @param only folder name of one run; empty for all complete runs
    /// @throws IllegalArgumentException with one sentence if the format or the run is unknown, or nothing can be exported
    public static ExportFiles of(ExperimentRecord experiment, String format, Optional<String> only) {
        Optional<TableExporter.Table> table = TableExporter.Table.of(format);
        if (table.isPresent()) {
            return new ExportFiles(Map.of(table.get().fileName(), TableExporter.of(experiment.manifest(), table.get())),
                    List.of());
        }
        List<RunRecord> runs = experiment.runs().stream()
                .filter(run -> only.map(run.folderName()::equals).orElse(run.manifest().status() == RunStatus.COMPLETE))
                .toList();
        String id = experiment.manifest().id();
        if (runs.isEmpty()) {
            throw new IllegalArgumentException(only
                    .map(name -> NearMisses.sentence("run of " + id, name,
                            experiment.runs().stream().map(RunRecord::folderName).toList()))
                    .orElse(id + " has no complete run to export."));
        }
        Map<String, String> texts = new LinkedHashMap<>();
        List<String> skipped = new ArrayList<>();
        for (RunRecord run : runs) {
            try {
                texts.put(run.folderName() + "-" + format + (format.equals(JSON_LINES) ? ".jsonl" : ".json"),
                        Exporter.of(run, format));
            } catch (IllegalArgumentException e) {
                skipped.add(String.valueOf(e.getMessage()));
            }
        }
        if (texts.isEmpty()) {
            throw new IllegalArgumentException(skipped.getFirst());
        }
        return new ExportFiles(texts, skipped);
    }
}
