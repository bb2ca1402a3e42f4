package org.inferometer.cli.machine;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.ProgressLine;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.record.SelfCheckResult;
import org.inferometer.report.AlignedColumns;
import org.inferometer.results.SelfCheckFile;
import org.inferometer.units.FileFault;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `selfcheck`: the limits of this machine and this program.
@Command(name = "selfcheck",
        description = "Measure the limits of this machine and this program: timer, noise, load generator, backends. "
                + "Exits with 1 if a check fails.",
        footer = {"", "Examples:", "  inferometer selfcheck", "  inferometer selfcheck --only cuda --json", ""})
public final class SelfCheckCommand extends JsonCommand {
    @Option(names = "--only", paramLabel = "PREFIX", defaultValue = "",
            description = "Run only checks whose id starts with this: cuda, cuda_agreement, host, http. Their results are not saved.")
    String only = "";

    public SelfCheckCommand(RootCommand root) {
        super(root);
    }

    @Override
    public Integer call() throws UsageException {
        List<SelfCheckResult> results = results();
        AlignedColumns table = new AlignedColumns("CHECK", "MEASURED>", "LIMIT>", "STATE", "MEANING");
        results.forEach(result -> table.row(result.name(), value(result.measured(), result.unit()), limit(result),
                label(result.state()), result.sentence()));
        print(results, () -> table.render(terminal().columns()));
        return results.stream().anyMatch(result -> result.state() == SelfCheckResult.State.FAILED)
                ? ExitCodes.VERDICT_FAILED : ExitCodes.DONE;
    }

    private List<SelfCheckResult> results() throws UsageException {
        ProgressLine line = new ProgressLine(terminal(), services().clock());
        Optional<String> fault = services().selfCheck().fault(only);
        if (fault.isPresent()) {
            throw new UsageException(fault.get());
        }
        List<SelfCheckResult> results = services().selfCheck().run(only, check -> {
            if (line.isLive()) {
                line.draw("checking " + check);
            } else {
                line.print("checking " + check);
            }
        });
        line.clear();
        if (only.isEmpty()) {
            save(results);
        }
        return results;
    }

    /// Verdicts of later runs use the last complete self-check of the workspace.
    private void save(List<SelfCheckResult> results) {
        try {
            new SelfCheckFile(services().workspace().results()).save(services().clock().wall(), services().machine(),
                    results);
        } catch (IOException e) {
            terminal().fault(
                    "Cannot save the self-check in " + services().workspace().results() + ". " + FileFault.sentence(e));
        }
    }

    private static String value(@Nullable Double value, String unit) {
        return value == null ? "-" : QuantityText.significant(value) + (unit.isEmpty() ? "" : " " + unit);
    }

    private static String limit(SelfCheckResult result) {
        return switch (result.bound()) {
            case AT_MOST -> "<= " + value(result.limit(), result.unit());
            case AT_LEAST -> ">= " + value(result.limit(), result.unit());
            case NONE -> "-";
        };
    }

    private static String label(SelfCheckResult.State state) {
        return switch (state) {
            case PASSED -> "passed";
            case FAILED -> "FAILED";
            case NOT_CHECKED -> "not checked";
        };
    }
}
