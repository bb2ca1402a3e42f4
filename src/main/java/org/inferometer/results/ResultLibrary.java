package org.inferometer.results;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.units.FileFault;
import org.inferometer.units.FileName;

/// The experiments of a folder: listed from their manifests, read in full on demand.
public final class ResultLibrary {
    private final Path folder;

    /// @param folder holds one folder per experiment; may not exist yet
    public ResultLibrary(Path folder) {
        this.folder = folder;
    }

    /// All experiments, newest first; unreadable ones are at the end with their fault.
    public List<Entry> list() {
        List<Entry> entries = new ArrayList<>();
        if (!Files.isDirectory(folder)) {
            return entries;
        }
        try (DirectoryStream<Path> inside = Files.newDirectoryStream(folder)) {
            for (Path each : inside) {
                if (Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)
                        && !each.getFileName().toString().startsWith(".")) {
                    entry(each).ifPresent(entries::add);
                }
            }
        } catch (IOException e) {
            entries.add(unlisted(e));
        } catch (DirectoryIteratorException e) {
            entries.add(unlisted(Objects.requireNonNull(e.getCause())));
        }
        entries.sort(Comparator.comparing(Entry::added).reversed().thenComparing(Entry::folder));
        return List.copyOf(entries);
    }

    private Entry unlisted(IOException fault) {
        return new Entry(folder, Optional.empty(),
                "The folder cannot be listed: " + FileFault.describe(folder, fault) + ".");
    }

    /// Reads an experiment, given by its folder or by an id of this library. After a crash the readable part is returned, with notes.
    ///
    /// @throws ResultFormatException if nothing can be read
    public ExperimentRecord open(Path experiment) throws IOException {
        return new ExperimentReader(located(experiment)).read();
    }

    /// Reads the manifest of a folder.
    ///
    /// @throws ResultFormatException if the folder is not an experiment
    public static ExperimentManifest manifest(Path experiment) throws IOException {
        return new ExperimentReader(experiment).manifest();
    }

    private Path located(Path experiment) throws ResultFormatException {
        if (Files.isDirectory(experiment)) {
            return experiment;
        }
        boolean isName = experiment.getNameCount() == 1 && FileName.isPortable(experiment.toString());
        if (isName && Files.isDirectory(folder.resolve(experiment))) {
            return folder.resolve(experiment);
        }
        throw new ResultFormatException(experiment, "no such result, as a folder or in " + folder
                + ". List the results with \"inferometer results list\".");
    }

    private static Optional<Entry> entry(Path each) {
        try {
            ExperimentReader reader = new ExperimentReader(each);
            return reader.isExperiment() ? Optional.of(new Entry(each, Optional.of(reader.manifest()), ""))
                    : Optional.empty();
        } catch (ResultFormatException e) {
            return Optional.of(new Entry(each, Optional.empty(), e.withoutPath()));
        } catch (IOException e) {
            return Optional
                    .of(new Entry(each, Optional.empty(), "It cannot be read: " + FileFault.describe(each, e) + "."));
        }
    }

    /// @param problem why the manifest cannot be read; empty if it can
    public record Entry(Path folder, Optional<ExperimentManifest> manifest, String problem) {
        /// When it started or was imported; `Instant.MIN` without a manifest.
        Instant added() {
            return manifest.map(manifest -> manifest.times().added()).orElse(Instant.MIN);
        }
    }
}
