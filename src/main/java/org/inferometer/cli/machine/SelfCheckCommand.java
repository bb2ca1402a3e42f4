package org.inferometer.cli.machine;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.inferometer.cli.CommandException;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.JsonCommand;
import org.inferometer.cli.ProgressLine;
import org.inferometer.cli.RootCommand;
import org.inferometer.cli.UsageException;
import org.inferometer.experiment.PlanException;
import org.inferometer.measurement.comparison.ExperimentVariation;
import org.inferometer.record.SelfCheckResult;
import org.inferometer.report.AlignedColumns;
import org.inferometer.results.SelfCheckFile;
import org.inferometer.run.BenchmarkService;
import org.inferometer.selfcheck.EqualExperiments;
import org.inferometer.selfcheck.LearnedVariation;
import org.inferometer.selfcheck.SelfCheck;
import org.inferometer.units.FileFault;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `selfcheck`: the limits of this machine and this program.
@Command(name = "selfcheck",
        description = "Measure the limits of this machine and this program: timer, noise, load generator, backends. "
                + "Exits with 1 if a check fails.",
        footer = {"", "Examples:", "  inferometer selfcheck", "  inferometer selfcheck --only cuda --json",
                "  inferometer selfcheck --aa=8", ""})
public final class SelfCheckCommand extends JsonCommand {
    private static final int MOST_EXPERIMENTS = 50;

    @Option(names = "--only", paramLabel = "PREFIX", defaultValue = "",
            description = "Run only checks whose id starts with this: cuda, cuda_agreement, host, http. Their results are not saved.")
    String only = "";

    @Option(names = "--small",
            description = "Run only checks of the cuda backend, on their smallest sizes, to see that they run. "
                    + "Their figures say so and mean nothing. Nothing is saved.")
    boolean small;

    @Option(names = "--aa", paramLabel = "N", arity = "0..1", fallbackValue = "5",
            description = "Learn instead how much equal experiments differ on this machine, from N of them (default: 5, about 30 s each). "
                    + "compare and gate then widen their intervals between two experiments.")
    @Nullable
    Integer equal;

    public SelfCheckCommand(RootCommand root) {
        super(root);
    }

    @Override
    public Integer call() throws UsageException, CommandException, PlanException, InterruptedException {
        if (small && equal != null) {
            throw new UsageException("--small does not take --aa.");
        }
        List<SelfCheckResult> results = equal == null ? results() : variation(equal);
        AlignedColumns table = new AlignedColumns("CHECK", "MEASURED>", "LIMIT>", "STATE", "MEANING");
        results.forEach(result -> table.row(result.name(), value(result.measured(), result.unit()), limit(result),
                label(result.state()), result.sentence()));
        print(results, () -> table.render(terminal().columns()));
        return results.stream().anyMatch(result -> result.state() == SelfCheckResult.State.FAILED)
                ? ExitCodes.VERDICT_FAILED : ExitCodes.DONE;
    }

    private List<SelfCheckResult> results() throws UsageException {
        ProgressLine line = new ProgressLine(terminal(), services().clock());
        SelfCheck checks = small ? services().selfCheck().small() : services().selfCheck();
        Optional<String> fault = checks.fault(only);
        if (fault.isPresent()) {
            throw new UsageException(fault.get());
        }
        List<SelfCheckResult> results = checks.run(only, check -> {
            if (line.isLive()) {
                line.draw("checking " + check);
            } else {
                line.print("checking " + check);
            }
        });
        line.clear();
        if (only.isEmpty() && !small) {
            save(results);
        }
        return results;
    }

    private List<SelfCheckResult> variation(int experiments)
            throws UsageException, CommandException, PlanException, InterruptedException {
        if (experiments < ExperimentVariation.LEAST_EXPERIMENTS || experiments > MOST_EXPERIMENTS || !only.isEmpty()) {
            throw new UsageException("--aa takes " + ExperimentVariation.LEAST_EXPERIMENTS + " to " + MOST_EXPERIMENTS
                    + " experiments, without --only.");
        }
        ProgressLine line = new ProgressLine(terminal(), services().clock());
        BenchmarkService service = services().benchmarks().apply(services().workspace().results());
        try {
            List<SelfCheckResult> results = new EqualExperiments(service).run(experiments, line::print, running -> {});
            save(results);
            return results;
        } catch (IllegalStateException e) {
            throw new CommandException("The variation between experiments was not learned. " + e.getMessage(), e);
        }
    }

    /// Verdicts and comparisons of later runs use the last complete self-check of the workspace and the last A/A experiments.
    private void save(List<SelfCheckResult> fresh) {
        try {
            LearnedVariation.save(new SelfCheckFile(services().workspace().results()), services().machine(),
                    services().clock().wall(), fresh);
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
