package org.inferometer.cli.run;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.ExperimentSpec.AskedLimits;
import org.inferometer.experiment.LoadSweep;
import org.inferometer.experiment.PlanFault;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.experiment.SpecReader;
import org.inferometer.options.Selection;
import org.inferometer.units.QuantityText;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;
import org.jspecify.annotations.Nullable;

/// Puts the options of `run` over a preset or a specification: options win, what they leave open stays.
///
/// Every fault is collected; where an option is faulty the assembled specification keeps what it had.
final class SpecAssembly {
    private static final int MOST_REQUESTS = 10_000_000;
    private static final int MOST_POSITIONS = 1 << 22;

    private final RunOptions asked;
    private final List<PlanFault> faults = new ArrayList<>();

    SpecAssembly(RunOptions asked) {
        this.asked = asked;
    }

    /// What is run when neither a preset nor a specification is named.
    static ExperimentSpec unnamed() {
        WorkloadSpec usual = new WorkloadPresets().find("short");
        return new ExperimentSpec("custom", List.of(), List.of(Selection.of("continuous")), List.of(usual),
                Selection.of("host"), 3, 4, 42, 100, 0, AskedLimits.DEFAULTS);
    }

    /// Why options could not be used; empty when all could.
    List<PlanFault> faults() {
        return List.copyOf(faults);
    }

    /// The specification with the options over it.
    ExperimentSpec over(ExperimentSpec base) {
        ExperimentSpec assembled = withoutBaseline(base);
        if (asked.baseline != null) {
            return assembled.withBaseline(asked.baseline);
        }
        // A baseline that the options took away is the first scheduler again.
        ExperimentSpec kept = assembled.withBaseline(base.baseline());
        return kept.baselineSystem().isPresent() ? kept : assembled;
    }

    private ExperimentSpec withoutBaseline(ExperimentSpec base) {
        List<Selection> targets = listed("--target", asked.targets, Selection::parse,
                asked.engines.isEmpty() ? base.targets() : List.of());
        if (!asked.targets.isEmpty() && !asked.engines.isEmpty()) {
            faults.add(new PlanFault("--target",
                    "Give either --engine or --target: a run drives one or the other. Compare two results with compare."));
        }
        return new ExperimentSpec(base.name(),
                targets.isEmpty() ? asked.engines.isEmpty() ? base.engines() : List.copyOf(asked.engines) : List.of(),
                targets.isEmpty() ? schedulers(base) : List.of(), targets.isEmpty() ? backends(base) : List.of(),
                targets, shaped(listed("--workload", asked.workloads, new WorkloadPresets()::find, base.workloads())),
                (int) whole("--runs", asked.runs, 1, 1000, base.runs()),
                (int) whole("--warmup", asked.warmUp, 0, 1_000_000, base.warmUpRequests()),
                whole("--seed", asked.seed, Long.MIN_VALUE, Long.MAX_VALUE, base.seed()),
                value("--sample-every", asked.sampleEvery, SpecAssembly::samplePeriodMillis, base.sampleEveryMillis()),
                value("--kv-memory", asked.kvMemory, QuantityText::parseBytes, base.kvBytes()),
                new AskedLimits(
                        (int) whole("--max-batch-size", asked.maxBatchSize, 1, 65_536, base.limits().maxBatchRows()),
                        (int) whole("--max-num-tokens", asked.maxNumTokens, 1, MOST_POSITIONS,
                                base.limits().maxStepPositions()),
                        (int) whole("--max-length", asked.maxLength, 1, MOST_POSITIONS,
                                base.limits().maxSequencePositions())),
                null,
                new DeploymentGoal(value("--slo", asked.slo, ServiceObjective::parse, base.goal().objective()),
                        value("--price", asked.price, SpecReader::price, base.goal().pricePerHour())),
                asked.search != null || base.search() && asked.sweep == null && asked.workloads.isEmpty());
    }

    private List<Selection> backends(ExperimentSpec base) {
        List<Selection> usual = base.backends().isEmpty() ? List.of(Selection.of("host")) : base.backends();
        return value("--backend", asked.backend, text -> List.of(Selection.parse(text)), usual);
    }

    private List<WorkloadSpec> shaped(List<WorkloadSpec> workloads) {
        List<String> ways = waysToArrive();
        if (ways.size() > 1) {
            faults.add(new PlanFault(ways.getLast(),
                    "Give only one of " + String.join(", ", ways) + ": a load has one way to arrive."));
            return workloads;
        }
        List<WorkloadSpec> arriving = workloads.stream().map(arrivals()).map(duration()).toList();
        requireDistinct(workloads, arriving);
        return swept(counts().over(arriving));
    }

    /// The options that say how requests arrive, as far as they were given.
    private List<String> waysToArrive() {
        List<String> ways = new ArrayList<>();
        add(ways, "--concurrency", asked.concurrency);
        add(ways, "--rate", asked.rate);
        add(ways, "--arrivals", asked.arrivals);
        add(ways, "--sweep", asked.sweep);
        add(ways, "--search", asked.search);
        return ways;
    }

    private static void add(List<String> ways, String option, @Nullable String given) {
        if (given != null) {
            ways.add(option);
        }
    }

    private List<WorkloadSpec> swept(List<WorkloadSpec> workloads) {
        if (asked.search != null) {
            return value("--search", asked.search, text -> LoadSweep.grid(text).over(workloads), workloads);
        }
        return value("--sweep", asked.sweep, text -> LoadSweep.parse(text).over(workloads), workloads);
    }

    /// As many requests as fit; a number that is asked for as well is put in afterwards.
    private UnaryOperator<WorkloadSpec> duration() {
        long nanos = value("--duration", asked.duration, SpecAssembly::someTime, 0L);
        return nanos == 0 ? UnaryOperator.identity()
                : workload -> workload.withRequests(0).withRefinements(workload.refinements().withDuration(nanos));
    }

    private static long someTime(String text) {
        long nanos = QuantityText.parseNanos(text);
        if (nanos <= 0) {
            throw new IllegalArgumentException("\"" + text + "\" is no time to send for.");
        }
        return nanos;
    }

    private RequestCounts counts() {
        List<Integer> counts = new ArrayList<>();
        for (String list : asked.requests) {
            for (String count : list.split(",", -1)) {
                int requests = (int) whole("--requests", count, 1, MOST_REQUESTS, 0);
                if (counts.contains(requests)) {
                    faults.add(new PlanFault("--requests", requests + " is there twice."));
                }
                counts.add(requests);
            }
        }
        return new RequestCounts(counts.stream().filter(count -> count > 0).distinct().toList());
    }

    private List<Selection> schedulers(ExperimentSpec base) {
        List<Selection> schedulers = listed("--scheduler", asked.schedulers, Selection::parse, base.schedulers());
        Set<Selection> distinct = new LinkedHashSet<>();
        for (Selection scheduler : schedulers) {
            if (!distinct.add(scheduler)) {
                faults.add(new PlanFault("--scheduler", scheduler + " is there twice."));
            }
        }
        return schedulers;
    }

    private UnaryOperator<WorkloadSpec> arrivals() {
        List<String> ways = waysToArrive();
        String written = asked.concurrency != null ? "closed:concurrency=" + asked.concurrency
                : asked.rate != null ? "poisson:rate=" + asked.rate
                : asked.arrivals;
        if (written == null) {
            return UnaryOperator.identity();
        }
        String option = ways.getFirst();
        try {
            ArrivalProcess arrivals = ArrivalProcess.parse(written);
            return workload -> workload.withArrivals(arrivals);
        } catch (IllegalArgumentException e) {
            faults.add(new PlanFault(option, String.valueOf(e.getMessage())));
            return UnaryOperator.identity();
        }
    }

    /// A preset may differ in nothing but what an option now makes the same; its names would then be false.
    private void requireDistinct(List<WorkloadSpec> before, List<WorkloadSpec> after) {
        if (distinctBesideName(before) == before.size() && distinctBesideName(after) < after.size()) {
            faults.add(new PlanFault(waysToArrive().getFirst(),
                    "The workloads " + String.join(", ", before.stream().map(WorkloadSpec::name).toList())
                            + " would become the same. Leave the option out, or choose one with --workload."));
        }
    }

    private static long distinctBesideName(List<WorkloadSpec> workloads) {
        return workloads.stream().map(each -> each.withName("")).distinct().count();
    }

    private <T> List<T> listed(String option, List<String> texts, Function<String, T> read, List<T> otherwise) {
        List<T> values = new ArrayList<>();
        for (String text : texts) {
            try {
                values.add(read.apply(text));
            } catch (IllegalArgumentException e) {
                faults.add(new PlanFault(option, String.valueOf(e.getMessage())));
            }
        }
        return values.isEmpty() ? otherwise : values;
    }

    private <T> T value(String option, @Nullable String text, Function<String, T> read, T otherwise) {
        if (text == null) {
            return otherwise;
        }
        try {
            return read.apply(text);
        } catch (IllegalArgumentException e) {
            faults.add(new PlanFault(option, String.valueOf(e.getMessage())));
            return otherwise;
        }
    }

    private long whole(String option, @Nullable String text, long least, long most, long otherwise) {
        return value(option, text, written -> {
            long number;
            try {
                number = Long.parseLong(written.strip());
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(expectedWhole(written, least, most), e);
            }
            if (number < least || number > most) {
                throw new IllegalArgumentException(expectedWhole(written, least, most));
            }
            return number;
        }, otherwise);
    }

    private static String expectedWhole(String written, long least, long most) {
        String range = least == Long.MIN_VALUE ? "" : " from " + least + " to " + most;
        return "\"" + written + "\" is not a whole number" + range + ".";
    }

    private static int samplePeriodMillis(String text) {
        long nanos = QuantityText.parseNanos(text);
        if (nanos < 10_000_000L || nanos > 1_000_000_000L) {
            throw new IllegalArgumentException("\"" + text + "\" is not from 10ms to 1s.");
        }
        return (int) (nanos / 1_000_000);
    }
}
