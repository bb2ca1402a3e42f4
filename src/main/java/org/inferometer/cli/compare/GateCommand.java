package org.inferometer.cli.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.inferometer.cli.CommandException;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.Terminal;
import org.inferometer.cli.UsageException;
import org.inferometer.measurement.comparison.Limit;
import org.inferometer.measurement.comparison.Margin;
import org.inferometer.report.compare.ComparedSide;
import org.inferometer.report.compare.GateJunit;
import org.inferometer.report.compare.GateResult;
import org.inferometer.report.compare.GateResult.GateRules;
import org.inferometer.results.AtomicFile;
import org.inferometer.units.FileFault;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `gate`: exit code 1 if a candidate is worse than its base by more than a margin.
@Command(name = "gate", description = "Fail if a candidate is worse than its base by more than a margin.",
        footer = {"", "Exit codes: 0 passed or undecided; 1 regression, not judged, or undecided with --strict;",
                "2 usage error.", "", "Examples:", "  inferometer gate baseline latest",
                "  inferometer gate baseline latest --margin output_throughput=3%% --margin e2e_p95=20ms",
                "  inferometer gate baseline latest --at-least output_throughput=100 --at-most e2e_p95=500ms",
                "  inferometer gate baseline latest --strict --junit gate.xml", ""})
public final class GateCommand extends JsonCommand {
    @Parameters(index = "0", paramLabel = "BASE", description = ResultSides.HELP)
    String base = "";

    @Parameters(index = "1", paramLabel = "CANDIDATE", description = "Written like BASE.")
    String candidate = "";

    @Option(names = "--margin", paramLabel = "METRIC=AMOUNT",
            description = "Allowed loss of a metric: 3%% of the base, or an amount with unit (20ms). Repeatable. "
                    + "Default: output_throughput=5%%, ttft_p50=10%%, e2e_p95=10%%.")
    List<String> margins = new ArrayList<>();

    @Option(names = "--at-least", paramLabel = "METRIC=AMOUNT",
            description = "The least that a metric of the candidate may be, whatever the base: output_throughput=100. "
                    + "Repeatable. With limits alone there are no default margins.")
    List<String> floors = new ArrayList<>();

    @Option(names = "--at-most", paramLabel = "METRIC=AMOUNT",
            description = "The most that a metric of the candidate may be: e2e_p95=500ms. Repeatable.")
    List<String> ceilings = new ArrayList<>();

    @Option(names = "--strict", description = "Fail also if the runs cannot decide.")
    boolean strict;

    @Option(names = "--allow-missing",
            description = "Do not fail if a cell or a figure is missing, a side has 1 run, or a run is INVALID.")
    boolean allowMissing;

    @Option(names = "--anyway",
            description = "Judge results that are not comparable. The differences are still listed.")
    boolean anyway;

    @Option(names = "--same-model",
            description = "The models of both sides are one, whatever their names: an engine and its file on a server.")
    boolean sameModel;

    @Option(names = "--junit", paramLabel = "FILE", description = "Write the outcome to this file as JUnit XML.")
    @Nullable
    Path junit;

    public GateCommand(RootCommand root) {
        super(root);
    }

    @Override
    public Integer call() throws UsageException, CommandException {
        GateRules rules = rules();
        ResultSides sides = new ResultSides(services(), false);
        List<ComparedSide> against = sides.find(base);
        GateResult result = GateResult.of(against,
                sameModel ? sides.findCalling(candidate, against.getFirst().model()) : sides.find(candidate), rules,
                sides.variation());
        if (result.checks().isEmpty()) {
            throw new UsageException("Nothing to judge: " + (result.remarks().isEmpty()
                    ? "the results share no metric with a margin." : String.join(" ", result.remarks())));
        }
        if (!result.differences().isEmpty() && !anyway) {
            List<String> faults = new ArrayList<>(result.differences());
            faults.add("The results are not comparable. Add --anyway to judge them nevertheless.");
            throw new UsageException(faults);
        }
        write(result);
        Terminal terminal = terminal();
        print(result, () -> result.text(terminal.columns()));
        return result.failed(tolerance()) ? ExitCodes.VERDICT_FAILED : ExitCodes.DONE;
    }

    private GateResult.Tolerance tolerance() {
        return new GateResult.Tolerance(strict, allowMissing);
    }

    private GateRules rules() throws UsageException {
        List<String> faults = new ArrayList<>();
        List<Margin> read = parsed("--margin", margins, Margin::parse, faults);
        List<Limit> limits = new ArrayList<>(parsed("--at-least", floors, text -> Limit.parse(text, true), faults));
        limits.addAll(parsed("--at-most", ceilings, text -> Limit.parse(text, false), faults));
        UsageException.throwIfAny(faults);
        return GateRules.of(read, limits);
    }

    private static <T> List<T> parsed(String option, List<String> texts, Function<String, T> parse,
            List<String> faults) {
        List<T> parsed = new ArrayList<>();
        for (String text : texts) {
            try {
                parsed.add(parse.apply(text));
            } catch (IllegalArgumentException e) {
                faults.add(option + ": " + e.getMessage());
            }
        }
        return parsed;
    }

    private void write(GateResult result) throws CommandException {
        if (junit == null) {
            return;
        }
        try {
            AtomicFile.write(junit, GateJunit.of(result, tolerance()));
        } catch (IOException e) {
            throw new CommandException("Cannot write the JUnit file " + FileFault.describe(junit, e)
                    + ". Choose another file with --junit.", e);
        }
    }
}
