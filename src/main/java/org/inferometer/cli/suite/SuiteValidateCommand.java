package org.inferometer.cli.suite;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonOption;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.WrongUse;
import org.inferometer.experiment.PlanFault;
import org.inferometer.report.AlignedColumns;
import org.inferometer.suite.Suite;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `suite validate`: reads every experiment file of a folder and says all faults of all of them.
@Command(name = "validate",
        description = "Reads every experiment file of a folder and says all faults, each with file and line. Exits with 1 when there are any.",
        footer = {"", "Examples:", "  inferometer suite validate experiments",
                "  inferometer suite validate experiments --json", ""})
public final class SuiteValidateCommand implements Callable<Integer> {
    private final RootCommand root;

    @Parameters(index = "0", paramLabel = "DIR", description = "Folder of experiment files (*.yaml).")
    Path folder = Path.of("");

    @Mixin
    JsonOption json = new JsonOption();

    public SuiteValidateCommand(RootCommand root) {
        this.root = root;
    }

    /// What `--json` writes of a file.
    private record Line(String file, int runs, List<PlanFault> faults) {}

    @Override
    public Integer call() throws WrongUse {
        List<Line> lines = new ArrayList<>();
        try {
            new Suite(folder).entries().forEach(
                    entry -> lines.add(new Line(entry.file().getFileName().toString(), entry.runs(), entry.faults())));
        } catch (IOException e) {
            throw new WrongUse(String.valueOf(e.getMessage()));
        }
        if (json.asked) {
            json.print(root.terminal(), lines);
        } else if (lines.isEmpty()) {
            root.terminal().out().println("There is no experiment file (*.yaml) in " + folder + ".");
        } else {
            AlignedColumns table = new AlignedColumns("FILE", "RUNS>", "STATE");
            for (Line line : lines) {
                table.row(line.file, line.faults.isEmpty() ? String.valueOf(line.runs) : "-",
                        line.faults.isEmpty() ? "valid" : "FAULTY");
                line.faults.forEach(fault -> table.row("", "", fault.toString()));
            }
            root.terminal().out().print(table.render(root.terminal().columns()));
            root.terminal().out().flush();
        }
        return lines.stream().allMatch(line -> line.faults.isEmpty()) ? ExitCodes.DONE : ExitCodes.VERDICT_FAILED;
    }
}
