package org.inferometer.results.exchange;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.results.ResultFormatException;
import org.inferometer.results.bundle.BundleWriter;
import org.inferometer.units.LetterCase;

/// The files of a folder that an import reads: by their endings, and of those that one tool writes beside each other the fullest.
public final class ImportFolder {
    private static final List<String> ENDINGS = List.of(".json", ".jsonl", ".csv", ".md", ".sql", BundleWriter.ENDING,
            "mlperf_log_summary.txt", "mlperf_log_detail.txt");
    private static final int MOST_FILES = 500;
    private static final String PYTORCH = ".pytorch.json";
    private static final List<Beside> BESIDE = List.of(
            new Beside(AiperfFormat.REQUESTS_NAME, AiperfFormat.SUMMARY_NAME, "profile_export_aiperf.csv",
                    "inputs.json", "gpu_telemetry_export.jsonl", "server_metrics_export.json",
                    "server_metrics_export.jsonl"),
            // Requests do not name their stage.
            new Beside("stage_1_lifecycle_metrics.json", "per_request_lifecycle_metrics.json"),
            new Beside("per_request_lifecycle_metrics.json", "stage_0_lifecycle_metrics.json",
                    "summary_lifecycle_metrics.json"),
            new Beside("stage_0_lifecycle_metrics.json", "summary_lifecycle_metrics.json"),
            new Beside("_lifecycle_metrics.json", "_prometheus_metrics.json", "_session_lifecycle_metrics.json",
                    "_lifecycle_metrics.json.yaml"),
            new Beside("_summary.json", "_individual_responses.json"), new Beside("mlperf_log_detail.txt",
                    "mlperf_log_summary.txt", "mlperf_log_accuracy.json", "mlperf_log_trace.json"));

    /// Files that one tool writes beside each other, by the ends of their names. Rules hold in order, for the files that are left.
    ///
    /// @param fuller a file that says more
    /// @param left out beside it
    private record Beside(String fuller, List<String> left) {
        Beside(String fuller, String... left) {
            this(fuller, List.of(left));
        }
    }

    private ImportFolder() {}

    /// The result files directly in a folder, by name.
    ///
    /// @throws ResultFormatException if there is none
    public static List<Path> files(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> children = Files.list(folder)) {
            files = new ArrayList<>(children.filter(ImportFolder::mayHoldResults).sorted().limit(MOST_FILES).toList());
        }
        for (Beside rule : BESIDE) {
            if (files.stream().anyMatch(file -> name(file).endsWith(rule.fuller))) {
                files.removeIf(file -> rule.left.stream().anyMatch(name(file)::endsWith));
            }
        }
        List<String> names = files.stream().map(ImportFolder::name).toList();
        files.removeIf(file -> name(file).endsWith(PYTORCH) && names.contains(name(file).replace(PYTORCH, ".json")));
        if (files.isEmpty()) {
            throw new ResultFormatException(folder,
                    "the folder has no JSON, JSON lines, CSV, SQL or Markdown file. Give the files, or their folder.");
        }
        return files;
    }

    private static boolean mayHoldResults(Path file) {
        String name = name(file);
        boolean report = name.contains("benchmark_report") && (name.endsWith(".yaml") || name.endsWith(".yml"));
        return !name.startsWith(".") && (report || ENDINGS.stream().anyMatch(name::endsWith))
                && Files.isRegularFile(file);
    }

    /// The name in lower case, without `.gz`.
    private static String name(Path file) {
        String name = LetterCase.lower(String.valueOf(file.getFileName()));
        return name.endsWith(".gz") ? name.substring(0, name.length() - 3) : name;
    }
}
