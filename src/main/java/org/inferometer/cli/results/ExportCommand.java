package org.inferometer.cli.results;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.inferometer.cli.CommandFailed;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonOption;
import org.inferometer.cli.ResultChoice;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.WrongUse;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.results.AtomicFile;
import org.inferometer.results.exchange.Exporter;
import org.inferometer.results.exchange.TableExporter;
import org.inferometer.units.NearMisses;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `export`: writes the runs of a result as another tool would have.
@Command(name = "export",
        description = "Writes the complete runs of a result as files of another tool, figures under that tool's definitions.",
        footer = {"", "A file a run: vllm, sglang, aiperf, guidellm, trtllm-bench.",
                "One of all cells: benchmark-tables, llama-bench, llama-bench-jsonl, llama-bench-csv.",
                "\"report --format csv\" and \"report --scheduler-suite\" write tables of ours.", "", "Examples:",
                "  inferometer export latest --format vllm --out exported",
                "  inferometer export latest --run run-000 --format aiperf --out exported", ""})
public final class ExportCommand implements Callable<Integer> {
    private final RootCommand root;

    @Parameters(index = "0", paramLabel = "RESULT", description = "Its id, its folder, or latest.")
    String named = "";

    @Option(names = "--format", required = true, paramLabel = "FORMAT",
            description = "vllm, sglang, aiperf, guidellm, trtllm-bench, benchmark-tables, llama-bench, llama-bench-jsonl or llama-bench-csv.")
    String format = "";

    @Option(names = "--run", paramLabel = "RUN",
            description = "Folder name of one run, as run-000. Default: all that are complete.")
    @Nullable
    String only;

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "Folder to write to: a file a run.")
    Path out = Path.of("");

    @Option(names = "--force", description = "Replace files that exist.")
    boolean force;

    @Mixin
    JsonOption json = new JsonOption();

    public ExportCommand(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() throws WrongUse, CommandFailed {
        Optional<TableExporter.Table> table = TableExporter.Table.of(format);
        if (table.isEmpty() && !Exporter.words().contains(format)) {
            List<String> words = new ArrayList<>(Exporter.words());
            Arrays.stream(TableExporter.Table.values()).map(TableExporter.Table::word).forEach(words::add);
            throw new WrongUse(NearMisses.sentence("format", format, words));
        }
        if (table.isPresent() && only != null) {
            throw new WrongUse(format
                    + " is one table of all runs, so that --run chooses nothing. Leave out --run, or choose the format of a run.");
        }
        ExperimentRecord experiment = new ResultChoice(root.services()).open(named);
        if (table.isPresent()) {
            try {
                write(Map.of(out.resolve(table.get().fileName()), TableExporter.of(experiment.manifest(), table.get())),
                        List.of());
            } catch (IllegalArgumentException e) {
                throw new WrongUse(String.valueOf(e.getMessage()));
            }
            return ExitCodes.DONE;
        }
        List<RunRecord> runs = experiment.runs().stream().filter(
                run -> only == null ? run.manifest().status() == RunStatus.COMPLETE : run.folderName().equals(only))
                .toList();
        if (runs.isEmpty()) {
            throw new WrongUse(only == null ? named + " has no complete run to export." : NearMisses
                    .sentence("run of " + named, only, experiment.runs().stream().map(RunRecord::folderName).toList()));
        }
        Map<Path, String> files = new LinkedHashMap<>();
        List<String> leftOut = new ArrayList<>();
        for (RunRecord run : runs) {
            Path file = out.resolve(run.folderName() + "-" + format + (format.equals("aiperf") ? ".jsonl" : ".json"));
            try {
                files.put(file, Exporter.of(run, format));
            } catch (IllegalArgumentException e) {
                leftOut.add(String.valueOf(e.getMessage()));
            }
        }
        if (files.isEmpty()) {
            throw new WrongUse(leftOut.getFirst());
        }
        write(files, leftOut);
        return ExitCodes.DONE;
    }

    /// What was left out goes beside the output, so that a program that reads the list of files finds nothing else in it.
    private void tell(List<String> written, List<String> leftOut) {
        if (json.asked) {
            json.print(root.terminal(), written);
        } else {
            written.forEach(file -> root.terminal().out().println("wrote " + file));
            root.terminal().out().flush();
        }
        leftOut.forEach(sentence -> root.terminal().err().println("Left out: " + sentence));
        root.terminal().err().flush();
    }

    /// Writes none where one exists that may not be replaced; a file that cannot be written is told with those that were.
    private void write(Map<Path, String> files, List<String> leftOut) throws WrongUse, CommandFailed {
        List<String> existing = files.keySet().stream().filter(Files::exists).map(Path::toString).toList();
        if (!existing.isEmpty() && !force) {
            throw new WrongUse((existing.size() == 1 ? existing.getFirst() + " exists"
                    : existing.size() + " files exist, " + existing.getFirst() + " first")
                    + ", and nothing was written. Choose another folder with --out, or replace with --force.");
        }
        List<String> written = new ArrayList<>();
        for (Map.Entry<Path, String> file : files.entrySet()) {
            try {
                AtomicFile.write(file.getKey(), file.getValue().getBytes(StandardCharsets.UTF_8));
                written.add(file.getKey().toString());
            } catch (IOException e) {
                throw new CommandFailed(file.getKey() + " could not be written: " + e.getMessage()
                        + ". Choose another place with --out. " + (written.isEmpty() ? "Nothing was written."
                                : "Already written: " + String.join(", ", written) + "."),
                        e);
            }
        }
        tell(written, leftOut);
    }
}
