package org.inferometer.cli.suite;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.experiment.PlanFault;
import org.inferometer.report.AlignedColumns;
import org.inferometer.suite.Suite;
import org.inferometer.units.FileFault;
import org.inferometer.units.PlainText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `suite validate`: checks all experiment files of a folder.
@Command(name = "validate",
        description = "Check all experiment files of a folder; list faults with file and line. Exits with 1 if there are any, with 2 if a file cannot be read.",
        footer = {"", "Examples:", "  inferometer suite validate experiments",
                "  inferometer suite validate experiments --json", ""})
public final class SuiteValidateCommand extends JsonCommand {
    @Parameters(index = "0", paramLabel = "DIR", description = "Folder with experiment files (*.yaml).")
    Path folder = Path.of("");

    public SuiteValidateCommand(RootCommand root) {
        super(root);
    }

    /// What `--json` prints for a file.
    private record ValidatedLine(String file, int runs, List<PlanFault> faults) {}

    @Override
    public Integer call() throws UsageException {
        List<ValidatedLine> lines = new ArrayList<>();
        List<String> unreadable = new ArrayList<>();
        try {
            for (Suite.Entry entry : new Suite(folder).entries()) {
                lines.add(new ValidatedLine(PlainText.of(entry.file().getFileName().toString()), entry.runs(),
                        entry.faults()));
                if (!entry.readable()) {
                    entry.faults().forEach(fault -> unreadable.add(fault.toString()));
                }
            }
        } catch (IOException e) {
            throw new UsageException(FileFault.sentence(e));
        }
        print(lines, () -> lines.isEmpty() ? "No experiment files (*.yaml) in " + folder + ".\n"
                : table(lines).render(terminal().columns()));
        // A file that cannot be read is not judged.
        UsageException.throwIfAny(unreadable);
        return lines.stream().allMatch(line -> line.faults.isEmpty()) ? ExitCodes.DONE : ExitCodes.VERDICT_FAILED;
    }

    private static AlignedColumns table(List<ValidatedLine> lines) {
        AlignedColumns table = new AlignedColumns("FILE", "RUNS>", "STATE");
        for (ValidatedLine line : lines) {
            boolean valid = line.faults.isEmpty();
            table.row(line.file, valid ? String.valueOf(line.runs) : "-", valid ? "valid" : "INVALID");
            line.faults.forEach(fault -> table.row("", "", fault.toString()));
        }
        return table;
    }
}
