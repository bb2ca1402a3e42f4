package org.inferometer.results.exchange;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.inferometer.results.ResultFormatException;
import org.inferometer.results.bundle.BundleWriter;
import org.inferometer.units.LetterCase;

/// The files of a folder that an import reads: by their endings, and of those that one tool writes beside each other the fullest.
public final class ImportFolder {
    private static final List<String> ENDINGS = List.of(".json", ".jsonl", ".csv", ".md", ".sql", BundleWriter.ENDING);
    private static final int MOST_FILES = 500;
    /// What AIPerf writes beside its requests: summaries of them, its inputs, and series that hold no request.
    private static final Set<String> BESIDE_AIPERF = Set.of(AiperfFormat.SUMMARY_NAME, "profile_export_aiperf.csv",
            "inputs.json", "gpu_telemetry_export.jsonl", "server_metrics_export.json", "server_metrics_export.jsonl");

    private ImportFolder() {}

    /// The result files directly in a folder, by name.
    ///
    /// @throws ResultFormatException if there is none
    public static List<Path> files(Path folder) throws IOException {
        boolean aiperf = Files.isRegularFile(folder.resolve(AiperfFormat.REQUESTS_NAME));
        List<Path> files;
        try (Stream<Path> children = Files.list(folder)) {
            files = children.filter(ImportFolder::mayHoldResults)
                    .filter(file -> !aiperf || !BESIDE_AIPERF.contains(String.valueOf(file.getFileName()))).sorted()
                    .limit(MOST_FILES).toList();
        }
        if (files.isEmpty()) {
            throw new ResultFormatException(folder,
                    "the folder has no JSON, JSON lines, CSV, SQL or Markdown file. Give the files, or their folder.");
        }
        return files;
    }

    private static boolean mayHoldResults(Path file) {
        String name = LetterCase.lower(String.valueOf(file.getFileName()));
        String plain = name.endsWith(".gz") ? name.substring(0, name.length() - 3) : name;
        return !name.startsWith(".") && ENDINGS.stream().anyMatch(plain::endsWith) && Files.isRegularFile(file);
    }
}
