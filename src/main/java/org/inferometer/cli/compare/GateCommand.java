package org.inferometer.cli.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.inferometer.cli.CommandFailed;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonOption;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.Terminal;
import org.inferometer.cli.WrongUse;
import org.inferometer.measurement.Margin;
import org.inferometer.report.compare.ComparedSide;
import org.inferometer.report.compare.GateJunit;
import org.inferometer.report.compare.GateResult;
import org.inferometer.results.AtomicFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `gate`: exit code 1 when a candidate is worse than its base by more than a margin.
@Command(name = "gate",
        description = "Fails when a candidate is worse than its base by more than a margin, as far as the runs support that.",
        footer = {"",
                "Exit codes: 0 passed, or it cannot be told; 1 a regression, or with --strict it cannot be told; 2 wrong use.",
                "", "Examples:", "  inferometer gate baseline latest",
                "  inferometer gate baseline latest --margin output_throughput=3%% --margin e2e_p95=20ms",
                "  inferometer gate baseline latest --strict --junit gate.xml", ""})
public final class GateCommand implements Callable<Integer> {
    private final RootCommand root;

    @Parameters(index = "0", paramLabel = "BASE", description = ResultSides.HELP)
    String base = "";

    @Parameters(index = "1", paramLabel = "CANDIDATE", description = "The same.")
    String candidate = "";

    @Option(names = "--margin", paramLabel = "METRIC=AMOUNT",
            description = "How much worse a figure may get: 3%% of the base, or an amount with its unit, as 20ms. May be repeated. "
                    + "Default: output_throughput=5%%, ttft_p50=10%%, e2e_p95=10%%.")
    List<String> margins = new ArrayList<>();

    @Option(names = "--strict", description = "Fail also where the runs support neither a pass nor a regression.")
    boolean strict;

    @Option(names = "--anyway", description = "Judge results that are not comparable; what differs is still listed.")
    boolean anyway;

    @Option(names = "--junit", paramLabel = "FILE", description = "File to write the outcome to as JUnit XML, for CI.")
    @Nullable
    Path junit;

    @Mixin
    JsonOption json = new JsonOption();

    public GateCommand(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() throws WrongUse, CommandFailed {
        List<Margin> asked = margins();
        ResultSides sides = new ResultSides(root.services());
        List<ComparedSide> against = sides.named(base);
        GateResult result = GateResult.of(against, sides.named(candidate), asked);
        if (result.checks().isEmpty()) {
            throw new WrongUse("There is nothing to judge: " + (result.remarks().isEmpty()
                    ? "the two share no figure that has a margin." : String.join(" ", result.remarks())));
        }
        if (!result.differences().isEmpty() && !anyway) {
            List<String> faults = new ArrayList<>(result.differences());
            faults.add("The two are not comparable. Add --anyway to judge them knowingly.");
            throw new WrongUse(faults);
        }
        write(result);
        Terminal terminal = root.terminal();
        if (json.asked) {
            json.print(terminal, result);
        } else {
            terminal.out().print(result.text(terminal.columns()));
            terminal.out().flush();
        }
        return result.failed(strict) ? ExitCodes.VERDICT_FAILED : ExitCodes.DONE;
    }

    private List<Margin> margins() throws WrongUse {
        List<Margin> asked = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        for (String margin : margins.isEmpty() ? List.of(GateResult.STANDARD_MARGINS.split(", ")) : margins) {
            try {
                asked.add(Margin.parse(margin));
            } catch (IllegalArgumentException e) {
                faults.add("--margin: " + e.getMessage());
            }
        }
        if (!faults.isEmpty()) {
            throw new WrongUse(faults);
        }
        return asked;
    }

    private void write(GateResult result) throws CommandFailed {
        if (junit == null) {
            return;
        }
        try {
            AtomicFile.write(junit, GateJunit.of(result, strict));
        } catch (IOException e) {
            throw new CommandFailed("The JUnit file " + junit + " could not be written: " + e.getMessage()
                    + ". Choose another place with --junit.", e);
        }
    }
}
