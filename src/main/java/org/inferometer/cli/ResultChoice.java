package org.inferometer.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.results.ResultLibrary;
import org.inferometer.units.NearMisses;

/// Finds the result that a person names: its id in the workspace, its folder, or `latest`.
public final class ResultChoice {
    static final String LATEST = "latest";

    private final CliServices services;

    public ResultChoice(CliServices services) {
        this.services = services;
    }

    /// The result in full.
    ///
    /// @throws WrongUse when there is no such result or it cannot be read
    public ExperimentRecord open(String named) throws WrongUse {
        Path folder = services.workspace().results();
        try {
            return new ResultLibrary(folder).open(folderOf(named, folder));
        } catch (IOException e) {
            throw new WrongUse(String.valueOf(e.getMessage()));
        }
    }

    private Path folderOf(String named, Path results) throws WrongUse {
        List<ResultLibrary.Entry> entries = new ResultLibrary(results).list();
        if (named.equals(LATEST)) {
            return entries.stream().filter(entry -> entry.manifest().isPresent()).findFirst()
                    .map(ResultLibrary.Entry::folder).orElseThrow(() -> new WrongUse(
                            "There is no result in " + results + " yet. Make one with \"inferometer run quick\"."));
        }
        try {
            if (Files.isDirectory(Path.of(named))) {
                return Path.of(named);
            }
        } catch (InvalidPathException e) {
            throw new WrongUse("\"" + named + "\" is no name of a result.");
        }
        for (Path place : List.of(results, services.workspace().sampleResults())) {
            for (ResultLibrary.Entry entry : new ResultLibrary(place).list()) {
                if (entry.folder().getFileName().toString().equals(named)) {
                    return entry.folder();
                }
            }
        }
        throw new WrongUse(
                unknown(named, entries.stream().map(entry -> entry.folder().getFileName().toString()).toList()));
    }

    private static String unknown(String named, List<String> ids) {
        List<String> near = NearMisses.of(named, ids);
        return "There is no result \"" + named + "\"."
                + (near.isEmpty() ? "" : " Did you mean " + String.join(" or ", near) + "?")
                + " Give an id of \"inferometer results list\", a folder, or " + LATEST + ".";
    }
}
