package org.inferometer.cli.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.inferometer.cli.CommandException;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.ResultFinder;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.results.UnfinishedFolder;
import org.inferometer.results.exchange.ExportFiles;
import org.inferometer.results.exchange.TableExporter;
import org.inferometer.units.FileFault;
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
        if (!ExportFiles.formats().contains(format)) {
            throw new UsageException(NearMisses.sentence("format", format, ExportFiles.formats()));
        }
        if (only != null && TableExporter.Table.of(format).isPresent()) {
            throw new UsageException(format
                    + " writes one table of all runs. Leave out --run, or choose a format with one file per run.");
        }
        ExportFiles export;
        try {
            export = ExportFiles.of(new ResultFinder(services()).open(named), format, Optional.ofNullable(only));
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
        write(export);
        return ExitCodes.DONE;
    }

    /// Prints skipped runs to standard error, so that standard output lists files only.
    private void printFiles(List<String> written, List<String> skipped) {
        print(written, () -> written.stream().map(file -> "wrote " + file + "\n").collect(Collectors.joining()));
        skipped.forEach(reason -> terminal().err().println("Skipped: " + reason));
        terminal().err().flush();
    }

    /// Writes nothing if a file exists and `--force` is not given.
    private void write(ExportFiles export) throws UsageException, CommandException {
        List<String> existing =
                export.texts().keySet().stream().map(out::resolve).filter(Files::exists).map(Path::toString).toList();
        if (!existing.isEmpty() && !force) {
            throw new UsageException((existing.size() == 1 ? existing.getFirst() + " exists"
                    : existing.size() + " files exist (first: " + existing.getFirst() + ")")
                    + "; nothing was written. Choose another folder with --out, or add --force.");
        }
        try {
            List<Path> written = UnfinishedFolder.write(out, export.contents());
            printFiles(written.stream().map(Path::toString).toList(), export.skipped());
        } catch (IOException e) {
            throw new CommandException(
                    "Cannot write " + FileFault.describe(out, e) + ". Choose another folder with --out.", e);
        }
    }
}
