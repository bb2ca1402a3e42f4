package org.inferometer.cli.machine;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.inferometer.cli.CliServices;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonOption;
import org.inferometer.cli.LiveLine;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.WrongUse;
import org.inferometer.record.SelfCheckResult;
import org.inferometer.report.AlignedColumns;
import org.inferometer.results.SelfCheckFile;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `selfcheck`: the ruler is measured first.
@Command(name = "selfcheck",
        description = "Measures what this machine and this program can resolve, before anything else is measured with them. "
                + "Exits with 1 when a check fails.",
        footer = {"", "Examples:", "  inferometer selfcheck", "  inferometer selfcheck --only cuda --json", ""})
public final class SelfCheckCommand implements Callable<Integer> {
    private final RootCommand root;

    @Mixin
    JsonOption json = new JsonOption();

    @Option(names = "--only", paramLabel = "PREFIX", defaultValue = "",
            description = "Only the checks whose names in --json begin so: cuda, cuda_agreement, host, http. They are not kept for judging runs.")
    String only = "";

    public SelfCheckCommand(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() throws WrongUse {
        List<SelfCheckResult> results = results();
        if (json.asked) {
            json.print(root.terminal(), results);
        } else {
            AlignedColumns table = new AlignedColumns("CHECK", "MEASURED>", "LIMIT>", "STATE", "WHAT IT MEANS");
            results.forEach(result -> table.row(result.name(), figure(result.measured(), result.unit()), limit(result),
                    word(result.state()), result.sentence()));
            root.terminal().out().print(table.render(root.terminal().columns()));
            root.terminal().out().flush();
        }
        return results.stream().anyMatch(result -> result.state() == SelfCheckResult.State.FAILED)
                ? ExitCodes.VERDICT_FAILED : ExitCodes.DONE;
    }

    private List<SelfCheckResult> results() throws WrongUse {
        CliServices services = root.services();
        LiveLine line = new LiveLine(root.terminal(), services.clock());
        Optional<String> fault = services.selfCheck().fault(only);
        if (fault.isPresent()) {
            throw new WrongUse(fault.get());
        }
        List<SelfCheckResult> results = services.selfCheck().run(only, check -> {
            if (line.isLive()) {
                line.draw("checking " + check);
            } else {
                line.say("checking " + check);
            }
        });
        line.clear();
        if (only.isEmpty()) {
            keep(services, results);
        }
        return results;
    }

    /// Runs are judged against the last whole self-check of the workspace.
    private void keep(CliServices services, List<SelfCheckResult> results) {
        try {
            new SelfCheckFile(services.workspace().results()).save(services.clock().wall(), services.machine(),
                    results);
        } catch (IOException e) {
            root.terminal()
                    .fault("The self-check was not saved in " + services.workspace().results() + ": " + e.getMessage());
        }
    }

    private static String figure(@Nullable Double value, String unit) {
        return value == null ? "-" : QuantityText.significant(value) + (unit.isEmpty() ? "" : " " + unit);
    }

    private static String limit(SelfCheckResult result) {
        return switch (result.bound()) {
            case AT_MOST -> "<= " + figure(result.limit(), result.unit());
            case AT_LEAST -> ">= " + figure(result.limit(), result.unit());
            case NONE -> "-";
        };
    }

    private static String word(SelfCheckResult.State state) {
        return switch (state) {
            case PASSED -> "passed";
            case FAILED -> "FAILED";
            case NOT_CHECKED -> "not checked";
        };
    }
}
