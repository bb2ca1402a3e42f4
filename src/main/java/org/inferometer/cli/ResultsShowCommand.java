package org.inferometer.cli;

import java.util.concurrent.Callable;
import org.inferometer.benchmark.ExperimentRecord;
import org.inferometer.benchmark.RunRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// `results show`: an experiment's tables, findings, notes and verdict.
@Command(
        name = "show",
        description = "Shows a result: tables, findings, verdict, and notes such as that a run was interrupted.",
        footer = {"", "Examples:", "  inferometer results show latest", "  inferometer results show 2026-11-21_141503_quick --json", ""})
final class ResultsShowCommand implements Callable<Integer> {
    private final RootCommand root;

    @Parameters(index = "0", paramLabel = "RESULT", description = "Its id, its folder, or latest.")
    String named = "";

    @Mixin
    BaselineOption baseline = new BaselineOption();

    @Mixin
    JsonOption json = new JsonOption();

    ResultsShowCommand(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() throws WrongUse {
        CliServices services = root.services();
        ExperimentRecord experiment = baseline.over(new ResultChoice(services).open(named));
        if (json.asked) {
            json.print(root.terminal(), document(experiment));
        } else {
            root.terminal().out().print(new ExperimentText(services.results().desk(), root.terminal()).of(experiment));
            root.terminal().out().flush();
        }
        return ExitCodes.DONE;
    }

    private ObjectNode document(ExperimentRecord experiment) {
        ObjectNode document = json.object();
        document.put("path", experiment.folder().toString());
        document.setAll(json.tree(experiment.manifest()));
        ArrayNode notes = document.putArray("notes");
        experiment.notes().forEach(notes::add);
        ArrayNode runs = document.putArray("runs");
        for (RunRecord run : experiment.runs()) {
            ObjectNode each = runs.addObject();
            each.put("folder", run.folderName());
            each.put("status", run.manifest().status().word());
            each.put("failure", run.manifest().failure());
            ArrayNode remarks = each.putArray("notes");
            run.notes().forEach(remarks::add);
        }
        return document;
    }
}
