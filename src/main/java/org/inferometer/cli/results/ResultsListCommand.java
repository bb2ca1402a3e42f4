package org.inferometer.cli.results;

import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonOption;
import org.inferometer.cli.RootCommand;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.report.AlignedColumns;
import org.inferometer.results.ResultLibrary;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `results list`: the experiments of a folder, newest first.
@Command(name = "list", description = "Lists experiments, newest first: when, how they ended, and their verdict.",
        footer = {"", "Examples:", "  inferometer results list",
                "  inferometer results list --folder sample-results --json", ""})
public final class ResultsListCommand implements Callable<Integer> {
    private static final DateTimeFormatter STARTED =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final RootCommand root;

    @Option(names = "--folder", paramLabel = "DIR",
            description = "Folder of experiments. Default: results in the workspace.")
    @Nullable
    Path folder;

    @Mixin
    JsonOption json = new JsonOption();

    public ResultsListCommand(RootCommand root) {
        this.root = root;
    }

    /// @param started absent where another tool's file does not tell
    /// @param imported when it was made of such a file; absent where it was measured here
    /// @param problem why the experiment cannot be read, else empty
    private record Line(String id, String path, @Nullable String started, @Nullable String imported,
            @Nullable String status, @Nullable String verdict, @Nullable Integer cells, @Nullable Integer runs,
            String problem) {}

    @Override
    public Integer call() {
        Path where = folder == null ? root.services().workspace().results() : folder;
        List<ResultLibrary.Entry> entries = new ResultLibrary(where).list();
        if (json.asked) {
            json.print(root.terminal(), entries.stream().map(ResultsListCommand::line).toList());
            return ExitCodes.DONE;
        }
        if (entries.isEmpty()) {
            root.terminal().out()
                    .println("There is no result in " + where + " yet. Make one with \"inferometer run quick\".");
            return ExitCodes.DONE;
        }
        AlignedColumns table =
                new AlignedColumns("RESULT", "STARTED (UTC)", "STATUS", "VERDICT", "CELLS>", "RUNS>", "");
        for (ResultLibrary.Entry entry : entries) {
            Line line = line(entry);
            if (entry.manifest().isPresent()) {
                table.row(line.id, entry.manifest().get().started().map(STARTED::format).orElse("-"),
                        String.valueOf(line.status), line.verdict == null ? "-" : line.verdict,
                        String.valueOf(line.cells), String.valueOf(line.runs), "");
            } else {
                table.row(line.id, "-", "unreadable", "-", "-", "-", line.problem);
            }
        }
        root.terminal().out().print(table.render(root.terminal().columns()));
        root.terminal().out().flush();
        return ExitCodes.DONE;
    }

    private static Line line(ResultLibrary.Entry entry) {
        String id = entry.folder().getFileName().toString();
        ExperimentManifest manifest = entry.manifest().orElse(null);
        if (manifest == null) {
            return new Line(id, entry.folder().toString(), null, null, null, null, null, null, entry.problem());
        }
        return new Line(id, entry.folder().toString(), manifest.started().map(Instant::toString).orElse(null),
                manifest.importedWall() == null ? null : manifest.importedWall().toString(), manifest.status().word(),
                manifest.verdict() == null ? null : manifest.verdict().grade().name(), manifest.spec().cells().size(),
                manifest.plan().size(), "");
    }
}
