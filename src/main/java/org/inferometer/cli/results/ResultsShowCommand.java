package org.inferometer.cli.results;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.ExperimentText;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.ResultFinder;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.measurement.definitions.DefinedFigure;
import org.inferometer.measurement.definitions.Definition;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.WindowUse;
import org.inferometer.report.LoadReport;
import org.inferometer.report.compare.DefinitionText;
import org.inferometer.units.NearMisses;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/// `results show`: tables, findings, notes and verdict of a result.
@Command(name = "show", description = "Show a result: tables, findings, notes and verdict.", footer = {"", "Examples:",
        "  inferometer results show latest", "  inferometer results show 2026-11-21_141503_quick --json",
        "  inferometer results show latest --definition vllm", "  inferometer results show latest --profile", ""})
public final class ResultsShowCommand extends JsonCommand {
    @Parameters(index = "0", paramLabel = "RESULT", description = "Result ID, folder or latest.")
    String named = "";

    @Option(names = "--definition", paramLabel = "TOOL",
            description = "Compare our metrics with the definitions of another tool: vllm, sglang, aiperf, guidellm, loadgen or "
                    + "trtllm-bench.")
    @Nullable
    String definition;

    @Option(names = "--profile",
            description = "Show the load (requests, lengths, arrivals), and why the ten slowest requests were slow.")
    boolean profile;

    @Option(names = "--run", paramLabel = "N",
            description = "With --profile: one run, by its number in execution order, from 0. Default: all runs.")
    @Nullable
    String run;

    @Mixin
    BaselineOption baseline = new BaselineOption();

    public ResultsShowCommand(RootCommand root) {
        super(root);
    }

    @Override
    public Integer call() throws UsageException {
        ExperimentRecord experiment = baseline.over(new ResultFinder(services()).open(named));
        if (definition != null && profile) {
            throw new UsageException("--definition and --profile show different things. Give one.");
        }
        if (run != null && !profile) {
            throw new UsageException("--run needs --profile.");
        }
        if (definition != null) {
            redefined(experiment, definition);
        } else if (profile) {
            ExperimentRecord chosen = run == null ? experiment : ResultsStepsCommand.only(experiment, run);
            LoadReport load = LoadReport.of(chosen, experiment.runs());
            print(load, () -> load.text(terminal().columns()));
        } else if (json) {
            print(document(experiment));
        } else {
            terminal().print(new ExperimentText(services().reports(), terminal()).of(experiment));
        }
        return ExitCodes.DONE;
    }

    private void redefined(ExperimentRecord experiment, String word) throws UsageException {
        List<String> words = Arrays.stream(Definition.values()).map(Definition::id).toList();
        if (!words.contains(word)) {
            throw new UsageException(NearMisses.sentence("definition", word, words));
        }
        Definition tool = Definition.values()[words.indexOf(word)];
        List<RunRecord> runs =
                experiment.runs().stream().filter(run -> run.manifest().status() == RunStatus.COMPLETE).toList();
        DeploymentGoal goal = experiment.manifest().spec().goal();
        if (json) {
            Map<String, List<DefinedFigure>> figures = new LinkedHashMap<>();
            runs.forEach(run -> figures.put(run.folderName(), DefinitionText.figures(run, tool, goal)));
            print(figures);
            return;
        }
        runs.forEach(run -> terminal().out().println(DefinitionText.of(run, tool, goal, terminal().columns())));
        terminal().out().flush();
    }

    /// A run in the document of `--json`.
    private record RunLine(String folder, String status, String failure, List<String> notes,
            @Nullable WindowUse window) {}

    private ObjectNode document(ExperimentRecord experiment) {
        ObjectNode document = document(experiment.folder(), experiment.manifest());
        document.set("notes", tree(experiment.noteSentences()));
        document.set(
                "runs", tree(
                        experiment.runs().stream()
                                .map(run -> new RunLine(run.folderName(), run.manifest().status().id(),
                                        run.manifest().outcome().failure(), run.notes(), run.manifest().window()))
                                .toList()));
        return document;
    }
}
