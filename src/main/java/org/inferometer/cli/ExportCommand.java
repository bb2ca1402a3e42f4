package org.inferometer.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.inferometer.benchmark.ExperimentRecord;
import org.inferometer.benchmark.RunRecord;
import org.inferometer.benchmark.RunStatus;
import org.inferometer.results.AtomicFile;
import org.inferometer.results.exchange.Exporter;
import org.inferometer.units.NearMisses;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `export`: writes the runs of a result as another tool would have.
@Command(
        name = "export",
        description = "Writes the complete runs of a result as files of another tool, figures under that tool's definitions.",
        footer = {
            "",
            "Formats: vllm, sglang, aiperf, guidellm. \"report --format csv\" and \"report --scheduler-suite\" write tables.",
            "",
            "Examples:",
            "  inferometer export latest --format vllm --out exported",
            "  inferometer export latest --run run-000 --format aiperf --out exported",
            ""
        })
final class ExportCommand implements Callable<Integer> {
    private final RootCommand root;

    @Parameters(index = "0", paramLabel = "RESULT", description = "Its id, its folder, or latest.")
    String named = "";

    @Option(names = "--format", required = true, paramLabel = "FORMAT", description = "vllm, sglang, aiperf or guidellm.")
    String format = "";

    @Option(names = "--run", paramLabel = "RUN", description = "Folder name of one run, as run-000. Default: all that are complete.")
    @Nullable String only;

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "Folder to write to: a file a run.")
    Path out = Path.of("");

    @Mixin
    JsonOption json = new JsonOption();

    ExportCommand(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() throws WrongUse, CommandFailed {
        if (!Exporter.words().contains(format)) {
            throw new WrongUse(NearMisses.sentence("format", format, Exporter.words()));
        }
        ExperimentRecord experiment = new ResultChoice(root.services()).open(named);
        List<RunRecord> runs = experiment.runs().stream()
                .filter(run -> only == null ? run.manifest().status() == RunStatus.COMPLETE : run.folderName().equals(only)).toList();
        if (runs.isEmpty()) {
            throw new WrongUse(only == null ? named + " has no complete run to export." : NearMisses.sentence(
                    "run of " + named, only, experiment.runs().stream().map(RunRecord::folderName).toList()));
        }
        List<String> written = new ArrayList<>();
        for (RunRecord run : runs) {
            written.add(write(run));
        }
        if (json.asked) {
            json.print(root.terminal(), written);
        } else {
            written.forEach(file -> root.terminal().out().println("wrote " + file));
            root.terminal().out().flush();
        }
        return ExitCodes.DONE;
    }

    private String write(RunRecord run) throws WrongUse, CommandFailed {
        Path file = out.resolve(run.folderName() + "-" + format + (format.equals("aiperf") ? ".jsonl" : ".json"));
        try {
            AtomicFile.write(file, Exporter.of(run, format).getBytes(StandardCharsets.UTF_8));
            return file.toString();
        } catch (IllegalArgumentException e) {
            throw new WrongUse(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new CommandFailed("The export could not be written: " + e.getMessage() + ". Choose another place with --out.", e);
        }
    }
}
