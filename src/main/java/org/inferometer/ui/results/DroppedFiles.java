package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.results.bundle.BundleWriter;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.units.LetterCase;

/// Sorts chosen or dropped files and folders. Reads the disk; called in the background.
///
/// @param foreign bundles and files of other tools
/// @param own folders of results
/// @param faults one sentence per other path
record DroppedFiles(List<Path> foreign, List<Path> own, List<String> faults) {
    private static final String EXPERIMENT = "experiment.json";
    private static final List<String> ENDINGS = List.of(".json", ".jsonl", ".csv", BundleWriter.ENDING);
    private static final int MOST_IN_A_FOLDER = 500;

    /// A folder means the files directly in it; a result folder means the result.
    static DroppedFiles of(List<Path> dropped) {
        List<Path> foreign = new ArrayList<>();
        List<Path> own = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        for (Path each : dropped) {
            Path parent = each.toAbsolutePath().getParent();
            if (Files.isRegularFile(each.resolve(EXPERIMENT))) {
                own.add(each);
            } else if (EXPERIMENT.equals(String.valueOf(each.getFileName())) && Files.isRegularFile(each)
                    && parent != null) {
                own.add(parent);
            } else if (Files.isDirectory(each)) {
                try {
                    List<Path> inside = inside(each);
                    foreign.addAll(inside);
                    if (inside.isEmpty()) {
                        faults.add(text("import.folder-empty", each));
                    }
                } catch (IOException e) {
                    faults.add(ErrorText.sentence(e));
                }
            } else {
                foreign.add(each);
            }
        }
        return new DroppedFiles(List.copyOf(foreign), List.copyOf(own), List.copyOf(faults));
    }

    /// Whether all are folders of results, or their `experiment.json`.
    static boolean areResults(List<Path> dropped) {
        return dropped.stream().allMatch(each -> EXPERIMENT.equals(String.valueOf(each.getFileName()))
                || Files.isRegularFile(each.resolve(EXPERIMENT)));
    }

    private static List<Path> inside(Path folder) throws IOException {
        try (Stream<Path> children = Files.list(folder)) {
            return children.filter(DroppedFiles::mayHoldResults).sorted().limit(MOST_IN_A_FOLDER).toList();
        }
    }

    private static boolean mayHoldResults(Path file) {
        String name = LetterCase.lower(String.valueOf(file.getFileName()));
        return !name.startsWith(".") && ENDINGS.stream().anyMatch(name::endsWith) && Files.isRegularFile(file);
    }
}
