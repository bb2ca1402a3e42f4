package org.inferometer.cli.results;

import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.ResultFinder;
import org.inferometer.cli.RootCommand;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.report.AlignedColumns;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.ResultNotes;
import org.inferometer.units.PlainText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `results list`: the results of a folder, newest first.
@Command(name = "list", description = "List results, newest first, with status and verdict.", footer = {"", "Examples:",
        "  inferometer results list", "  inferometer results list --folder sample-results --json", ""})
public final class ResultsListCommand extends JsonCommand {
    private static final DateTimeFormatter STARTED =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    @Option(names = "--folder", paramLabel = "DIR",
            description = "Folder with results. Default: results in the workspace.")
    @Nullable
    Path folder;

    public ResultsListCommand(RootCommand root) {
        super(root);
    }

    /// What `--json` prints for a result.
    ///
    /// @param started null if an imported file does not contain it
    /// @param imported null if the result was measured here
    /// @param notes what a person wrote about it
    /// @param problem why the result cannot be read, else empty
    private record ResultLine(String id, String path, @Nullable String started, @Nullable String imported,
            @Nullable String status, @Nullable String verdict, @Nullable Integer cells, @Nullable Integer runs,
            ResultNotes notes, String problem) {}

    @Override
    public Integer call() {
        Path where = folder == null ? services().workspace().results() : folder;
        List<ResultLibrary.Entry> entries = new ResultLibrary(where).list();
        print(entries.stream().map(ResultsListCommand::line).toList(),
                () -> entries.isEmpty() ? ResultFinder.none(where) + "\n" : text(entries));
        return ExitCodes.DONE;
    }

    private String text(List<ResultLibrary.Entry> entries) {
        AlignedColumns table =
                new AlignedColumns("RESULT", "STARTED (UTC)", "STATUS", "VERDICT", "CELLS>", "RUNS>", "");
        for (ResultLibrary.Entry entry : entries) {
            ResultLine line = line(entry);
            entry.manifest().ifPresentOrElse(
                    manifest -> table.row(line.id, manifest.times().start().map(STARTED::format).orElse("-"),
                            String.valueOf(line.status), line.verdict == null ? "-" : line.verdict,
                            String.valueOf(line.cells), String.valueOf(line.runs), line.notes.line()),
                    () -> table.row(line.id, "-", "unreadable", "-", "-", "-", line.problem));
        }
        return table.render(terminal().columns());
    }

    private static ResultLine line(ResultLibrary.Entry entry) {
        String id = PlainText.of(entry.folder().getFileName().toString());
        String path = PlainText.of(entry.folder().toString());
        ResultNotes notes = ResultNotes.read(entry.folder());
        ExperimentManifest manifest = entry.manifest().orElse(null);
        if (manifest == null) {
            return new ResultLine(id, path, null, null, null, null, null, null, notes, PlainText.of(entry.problem()));
        }
        return new ResultLine(id, path, manifest.times().start().map(Instant::toString).orElse(null),
                manifest.times().imported() == null ? null : manifest.times().imported().toString(),
                manifest.status().id(), manifest.verdict() == null ? null : manifest.verdict().grade().name(),
                manifest.spec().cells().size(), manifest.plan().size(), notes, "");
    }
}
