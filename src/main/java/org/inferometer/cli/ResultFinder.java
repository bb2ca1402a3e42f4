package org.inferometer.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.results.ResultLibrary;
import org.inferometer.units.NearMisses;

/// Finds a result by its ID in the workspace, its folder, or `latest`: the newest that was measured here, an imported one where there is no
/// other.
public final class ResultFinder {
    static final String LATEST = "latest";

    private final CliServices services;

    public ResultFinder(CliServices services) {
        this.services = services;
    }

    /// Reads the result in full.
    ///
    /// @throws UsageException if it does not exist or cannot be read
    public ExperimentRecord open(String named) throws UsageException {
        Path folder = services.workspace().results();
        try {
            return new ResultLibrary(folder).open(folderOf(named, folder));
        } catch (IOException e) {
            throw UsageException.of(e);
        }
    }

    private static boolean isMeasured(ResultLibrary.Entry entry) {
        return entry.manifest().filter(manifest -> manifest.times().imported() == null).isPresent();
    }

    /// The folder of the result.
    ///
    /// @throws UsageException if it does not exist
    public Path find(String named) throws UsageException {
        return folderOf(named, services.workspace().results());
    }

    private Path folderOf(String named, Path results) throws UsageException {
        List<ResultLibrary.Entry> entries = new ResultLibrary(results).list();
        if (named.equals(LATEST)) {
            List<ResultLibrary.Entry> readable =
                    entries.stream().filter(entry -> entry.manifest().isPresent()).toList();
            return readable.stream().filter(ResultFinder::isMeasured).findFirst()
                    .or(() -> readable.stream().findFirst()).map(ResultLibrary.Entry::folder)
                    .orElseThrow(() -> new UsageException(entries.isEmpty() ? none(results)
                            : "No readable results in " + results + ". See: inferometer results list."));
        }
        try {
            if (Files.isDirectory(Path.of(named))) {
                return Path.of(named);
            }
        } catch (InvalidPathException e) {
            throw new UsageException("\"" + named + "\" is not a valid result name.");
        }
        for (Path place : List.of(results, services.workspace().sampleResults())) {
            for (ResultLibrary.Entry entry : new ResultLibrary(place).list()) {
                if (entry.folder().getFileName().toString().equals(named)) {
                    return entry.folder();
                }
            }
        }
        throw new UsageException(
                unknown(named, entries.stream().map(entry -> entry.folder().getFileName().toString()).toList()));
    }

    /// The message for a folder without results.
    public static String none(Path results) {
        return "No results in " + results + ". Make one with \"inferometer run quick\".";
    }

    private static String unknown(String named, List<String> ids) {
        List<String> near = NearMisses.of(named, ids);
        return "Unknown result \"" + named + "\"."
                + (near.isEmpty() ? "" : " Did you mean " + String.join(" or ", near) + "?")
                + " Give an ID from \"inferometer results list\", a folder or " + LATEST + ".";
    }
}
