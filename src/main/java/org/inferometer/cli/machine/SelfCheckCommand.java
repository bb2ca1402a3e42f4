package org.inferometer.cli.machine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
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
import org.inferometer.selfcheck.WindowCheck;
import org.inferometer.selfcheck.WindowCheckOptions;
import org.inferometer.selfcheck.WindowChecks;
import org.inferometer.selfcheck.WindowFigure;
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
                "  inferometer selfcheck --aa=8", "  inferometer selfcheck --ui start,open", ""})
public final class SelfCheckCommand extends JsonCommand {
    private static final int MOST_EXPERIMENTS = 50;
    private static final int MOST_REQUESTS = 10_000_000;

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

    @Option(names = "--ui", paramLabel = "NAME", split = ",",
            description = "Measure the desktop's window instead, against its goals: all, or some of ${COMPLETION-CANDIDATES}. "
                    + "Each opens a window of its own over generated results. Nothing is saved.",
            completionCandidates = WindowCheckNames.class)
    List<String> ui = List.of();

    @Option(names = "--times", paramLabel = "N", description = "With --ui: repetitions instead of those of each check.")
    int times;

    @Option(names = "--seconds", paramLabel = "S",
            description = "With --ui: duration of measurements instead of that of each check.")
    int seconds;

    @Option(names = "--requests", paramLabel = "N", defaultValue = "0",
            description = "With --ui: requests of the generated result, such as 100k (default: 1M).")
    String requests = "0";

    /// The names for `--ui`.
    static final class WindowCheckNames extends ArrayList<String> {
        private static final long serialVersionUID = 1L;

        WindowCheckNames() {
            super(Arrays.stream(WindowCheck.values()).map(WindowCheck::id).toList());
        }
    }

    public SelfCheckCommand(RootCommand root) {
        super(root);
    }

    @Override
    public Integer call() throws UsageException, CommandException, PlanException, InterruptedException {
        if (small && (equal != null || !ui.isEmpty())) {
            throw new UsageException("--small takes neither --aa nor --ui.");
        }
        if (!ui.isEmpty()) {
            return window();
        }
        List<SelfCheckResult> results = equal == null ? results() : variation(equal);
        AlignedColumns table = new AlignedColumns("CHECK", "MEASURED>", "LIMIT>", "STATE", "MEANING");
        results.forEach(result -> table.row(result.name(), value(result.measured(), result.unit()), limit(result),
                label(result.state()), result.sentence()));
        print(results, () -> table.render(terminal().columns()));
        return results.stream().anyMatch(result -> result.state() == SelfCheckResult.State.FAILED)
                ? ExitCodes.VERDICT_FAILED : ExitCodes.DONE;
    }

    private int window() throws UsageException, CommandException, InterruptedException {
        List<WindowCheck> checks = new ArrayList<>();
        for (String name : ui) {
            if (name.equals("all")) {
                checks.addAll(List.of(WindowCheck.values()));
            } else {
                checks.add(
                        WindowCheck.of(name).orElseThrow(() -> new UsageException("No check of the window is named \""
                                + name + "\"; there are all, " + WindowCheck.ids() + ".")));
            }
        }
        WindowCheckOptions options = new WindowCheckOptions(times, seconds, count());
        ProgressLine line = new ProgressLine(terminal(), services().clock());
        WindowChecks.WindowReport report;
        try (WindowChecks window = services().windowChecks().get();
                var stopped = services().shutdown().onShutdown(() -> close(window))) {
            report = window.run(checks, options, line::print);
        } catch (IOException e) {
            throw new CommandException("The window could not be measured. " + FileFault.sentence(e), e);
        }
        print(report, () -> WindowCheckTable.text(report, terminal().columns()));
        return report.figures().stream().anyMatch(figure -> figure.verdict() == WindowFigure.GoalVerdict.MISSED)
                ? ExitCodes.VERDICT_FAILED : ExitCodes.DONE;
    }

    private int count() throws UsageException {
        try {
            long count = QuantityText.parseCount(requests);
            if (count > MOST_REQUESTS || times < 0 || seconds < 0) {
                throw new UsageException(
                        "--requests takes at most " + MOST_REQUESTS + ", --times and --seconds no negative numbers.");
            }
            return (int) count;
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    private static void close(WindowChecks window) {
        try {
            window.close();
        } catch (IOException e) {
            System.getLogger(SelfCheckCommand.class.getName()).log(System.Logger.Level.WARNING,
                    "The temporary folder of the checks could not be deleted", e);
        }
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
