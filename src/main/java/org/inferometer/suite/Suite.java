package org.inferometer.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanException;
import org.inferometer.experiment.PlanFault;
import org.inferometer.experiment.SpecReader;

/// A folder of YAML files with one experiment each.
public record Suite(Path folder) {
    private static final int MOST_FILES = 10_000;

    /// One file of a suite: an experiment, or its faults.
    ///
    /// @param spec absent if the file has faults
    /// @param readable whether the content is known
    public record Entry(Path file, Optional<ExperimentSpec> spec, List<PlanFault> faults, boolean readable) {
        /// Planned runs: cells times repetitions; 0 for a file with faults.
        public int runs() {
            return spec.map(experiment -> experiment.cells().size() * experiment.runs()).orElse(0);
        }
    }

    /// All `*.yaml` and `*.yml` files of the folder, not of its subfolders, sorted by name. Each is checked on its own.
    ///
    /// @throws IOException with a sentence for the user if the folder cannot be listed
    public List<Entry> entries() throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new IOException(folder + ": no such folder. Give a folder with experiment files (*.yaml).");
        }
        List<Path> files;
        try (Stream<Path> listed = Files.list(folder)) {
            files = listed.filter(Suite::isYaml).sorted().limit(MOST_FILES + 1L).toList();
        }
        if (files.size() > MOST_FILES) {
            throw new IOException(folder + ": more than " + MOST_FILES + " experiment files. Split the suite.");
        }
        SpecReader reader = new SpecReader();
        List<Entry> entries = new ArrayList<>();
        for (Path file : files) {
            try {
                entries.add(new Entry(file, Optional.of(reader.read(file)), List.of(), true));
            } catch (PlanException e) {
                entries.add(new Entry(file, Optional.empty(), e.faults(), !e.isUnreadable()));
            }
        }
        return entries;
    }

    private static boolean isYaml(Path file) {
        String name = file.getFileName().toString();
        return (name.endsWith(".yaml") || name.endsWith(".yml")) && Files.isRegularFile(file);
    }
}
