package org.inferometer.suite.running;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RecordFiles;
import org.inferometer.record.RunStatus;
import org.inferometer.results.AtomicFile;
import org.inferometer.results.RecordContents;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.UnfinishedFolder;
import org.inferometer.units.FileName;
import org.inferometer.units.FolderTree;

/// The records that a test's job left in its folder, and their way into the library.
///
/// @param place the test's folder
/// @param results folder of the library
record JobRecords(Path place, Path results) {
    /// Holds a folder of records for each experiment.
    private static final String FOLDER = "records";
    private static final String EARLIER = "earlier";
    /// Beside an experiment's records: the name of the collected one. Written before it moves, so that a killed program finds it again.
    private static final String COLLECTED = "collected.txt";

    /// What the job's experiments left.
    ///
    /// @param names in the library
    /// @param complete experiments with a complete record
    /// @param failure of the last one that failed; empty for none
    record Collected(List<String> names, int complete, String failure) {}

    /// The folder of an experiment's records.
    ///
    /// @param experiment name of its file
    Path folder(String experiment) {
        return place.resolve(FOLDER).resolve(experiment.replaceFirst("\\.yaml$", ""));
    }

    /// Moves the newest record of each experiment into the library.
    ///
    /// @throws IOException if a record cannot be read or moved
    Collected collect(List<String> experiments) throws IOException {
        List<String> names = new ArrayList<>();
        int complete = 0;
        String failure = "";
        for (String experiment : experiments) {
            Optional<String> name = collected(folder(experiment));
            if (name.isPresent()) {
                ExperimentManifest manifest = ResultLibrary.manifest(results.resolve(name.get()));
                names.add(name.get());
                complete += manifest.status() == RunStatus.COMPLETE ? 1 : 0;
                failure = manifest.failure().isEmpty() ? failure : manifest.failure();
            }
        }
        return new Collected(List.copyOf(names), complete, failure);
    }

    /// Puts the records and logs of an earlier job aside: they would be taken for those of the next.
    ///
    /// @throws IOException if they cannot be moved
    void putAside(List<Path> logs) throws IOException {
        Path earlier = Files.createDirectories(place.resolve(EARLIER));
        for (Path log : logs) {
            Files.move(log, earlier.resolve(String.valueOf(log.getFileName())), StandardCopyOption.REPLACE_EXISTING);
        }
        if (Files.exists(place.resolve(FOLDER), LinkOption.NOFOLLOW_LINKS)) {
            Files.move(place.resolve(FOLDER), free(earlier.resolve(FOLDER)));
        }
    }

    private Optional<String> collected(Path folder) throws IOException {
        Path note = folder.resolve(COLLECTED);
        if (Files.isRegularFile(note, LinkOption.NOFOLLOW_LINKS) && Files.size(note) <= FileName.MOST_BYTES) {
            String name = Files.readString(note).strip();
            if (FileName.isPortable(name) && Files.isDirectory(results.resolve(name), LinkOption.NOFOLLOW_LINKS)) {
                return Optional.of(name);
            }
        }
        Optional<Path> newest = newest(folder);
        if (newest.isEmpty()) {
            return Optional.empty();
        }
        RecordContents.require(newest.get());
        Files.createDirectories(results);
        Path target = free(results.resolve(String.valueOf(newest.get().getFileName())));
        String name = String.valueOf(target.getFileName());
        AtomicFile.write(note, name.getBytes(StandardCharsets.UTF_8));
        move(newest.get(), target);
        return Optional.of(name);
    }

    /// Names of records begin with their time.
    private static Optional<Path> newest(Path folder) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(each -> Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS))
                    .filter(each -> Files.exists(each.resolve(RecordFiles.EXPERIMENT))).max(Path::compareTo);
        }
    }

    private static Path free(Path wanted) {
        Path free = wanted;
        for (int i = 2; Files.exists(free, LinkOption.NOFOLLOW_LINKS); i++) {
            free = wanted.resolveSibling(wanted.getFileName() + "-" + i);
        }
        return free;
    }

    private static void move(Path record, Path target) throws IOException {
        try {
            Files.move(record, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            // The nodes' file system is another than the library's.
            try (UnfinishedFolder unfinished = UnfinishedFolder.beside(target)) {
                FolderTree.copy(record, unfinished.content());
                unfinished.publish();
            }
            FolderTree.delete(record);
        }
    }
}
