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
import java.util.stream.Collectors;
import org.inferometer.cli.CommandException;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.ResultFinder;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.results.AtomicFile;
import org.inferometer.results.exchange.Exporter;
import org.inferometer.results.exchange.TableExporter;
import org.inferometer.units.NearMisses;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `export`: writes the runs of a result in the format of another tool.
@Command(name = "export",
        description = "Export the complete runs of a result in the format and by the definitions of another tool.",
        footer = {"", "One file per run: vllm, sglang, aiperf, guidellm, trtllm-bench.",
                "One file for all cells: benchmark-tables, llama-bench, llama-bench-jsonl, llama-bench-csv.",
                "For our own tables see \"report --format csv\" and \"report --scheduler-suite\".", "", "Examples:",
                "  inferometer export latest --format vllm --out exported",
                "  inferometer export latest --run run-000 --format aiperf --out exported", ""})
public final class ExportCommand extends JsonCommand {
    @Parameters(index = "0", paramLabel = "RESULT", description = "Result ID, folder or latest.")
    String named = "";

    @Option(names = "--format", required = true, paramLabel = "FORMAT", description = "Output format; see below.")
    String format = "";

    @Option(names = "--run", paramLabel = "RUN",
            description = "One run by folder name (run-000). Default: all complete runs.")
    @Nullable
    String only;

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "Output folder.")
    Path out = Path.of("");

    @Option(names = "--force", description = "Replace existing files.")
    boolean force;

    public ExportCommand(RootCommand root) {
        super(root);
    }

    @Override
    public Integer call() throws UsageException, CommandException {
        Optional<TableExporter.Table> table = TableExporter.Table.of(format);
        if (table.isEmpty() && !Exporter.formatNames().contains(format)) {
            List<String> words = new ArrayList<>(Exporter.formatNames());
            Arrays.stream(TableExporter.Table.values()).map(TableExporter.Table::id).forEach(words::add);
            throw new UsageException(NearMisses.sentence("format", format, words));
        }
        if (table.isPresent() && only != null) {
            throw new UsageException(format
                    + " writes one table of all runs. Leave out --run, or choose a format with one file per run.");
        }
        ExperimentRecord experiment = new ResultFinder(services()).open(named);
        if (table.isPresent()) {
            try {
                write(Map.of(out.resolve(table.get().fileName()), TableExporter.of(experiment.manifest(), table.get())),
                        List.of());
            } catch (IllegalArgumentException e) {
                throw new UsageException(String.valueOf(e.getMessage()));
            }
            return ExitCodes.DONE;
        }
        List<RunRecord> runs = experiment.runs().stream().filter(
                run -> only == null ? run.manifest().status() == RunStatus.COMPLETE : run.folderName().equals(only))
                .toList();
        if (runs.isEmpty()) {
            throw new UsageException(only == null ? named + " has no complete run to export." : NearMisses
                    .sentence("run of " + named, only, experiment.runs().stream().map(RunRecord::folderName).toList()));
        }
        Map<Path, String> files = new LinkedHashMap<>();
        List<String> skipped = new ArrayList<>();
        for (RunRecord run : runs) {
            Path file = out.resolve(run.folderName() + "-" + format + (format.equals("aiperf") ? ".jsonl" : ".json"));
            try {
                files.put(file, Exporter.of(run, format));
            } catch (IllegalArgumentException e) {
                skipped.add(String.valueOf(e.getMessage()));
            }
        }
        if (files.isEmpty()) {
            throw new UsageException(skipped.getFirst());
        }
        write(files, skipped);
        return ExitCodes.DONE;
    }

    /// Prints skipped runs to standard error, so that standard output lists files only.
    private void printFiles(List<String> written, List<String> skipped) {
        print(written, () -> written.stream().map(file -> "wrote " + file + "\n").collect(Collectors.joining()));
        skipped.forEach(reason -> terminal().err().println("Skipped: " + reason));
        terminal().err().flush();
    }

    /// Writes nothing if a file exists and `--force` is not given. The message of a failure lists the files already written.
    private void write(Map<Path, String> files, List<String> skipped) throws UsageException, CommandException {
        List<String> existing = files.keySet().stream().filter(Files::exists).map(Path::toString).toList();
        if (!existing.isEmpty() && !force) {
            throw new UsageException((existing.size() == 1 ? existing.getFirst() + " exists"
                    : existing.size() + " files exist (first: " + existing.getFirst() + ")")
                    + "; nothing was written. Choose another folder with --out, or add --force.");
        }
        List<String> written = new ArrayList<>();
        for (Map.Entry<Path, String> file : files.entrySet()) {
            try {
                AtomicFile.write(file.getKey(), file.getValue().getBytes(StandardCharsets.UTF_8));
                written.add(file.getKey().toString());
            } catch (IOException e) {
                throw new CommandException("Cannot write " + file.getKey() + ": " + e.getMessage()
                        + ". Choose another folder with --out. " + (written.isEmpty() ? "Nothing was written."
                                : "Already written: " + String.join(", ", written) + "."),
                        e);
            }
        }
        printFiles(written, skipped);
    }
}
