package org.inferometer.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.execution.Backends;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ExperimentFields;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.Field;
import org.inferometer.experiment.PlanFault;
import org.inferometer.experiment.PrecisionTarget;
import org.inferometer.experiment.Subject;
import org.inferometer.experiment.Subject.EngineSubject;
import org.inferometer.experiment.Subject.TargetSubject;
import org.inferometer.experiment.WorkloadFields;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.comparison.Comparisons;
import org.inferometer.options.Access;
import org.inferometer.record.Metric;
import org.inferometer.record.PlannedSubject;
import org.inferometer.record.RunPlan;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.target.TargetKind.TargetKinds;
import org.inferometer.units.FileFault;
import org.inferometer.units.NearMisses;
import org.inferometer.units.Seed;
import org.inferometer.workload.TraceReplay;
import org.inferometer.workload.WorkloadDraw;
import org.inferometer.workload.WorkloadExtents;
import org.inferometer.workload.WorkloadSpec;

/// Resolves an experiment to runs and finds all faults before anything starts.
final class Planner {
    private static final int LONGEST_NAME = 80;
    private static final String WORKLOADS = ExperimentFields.WORKLOADS.name();

    private final EnginePlanner engines;
    private final TargetPlanner targets;
    private final WorkloadExtents extents;
    private final long heapBytes;

    /// @param heapBytes largest heap of a worker
    Planner(EngineCatalog engines, SchedulerRegistry schedulers, Backends backends, TargetKinds targets,
            WorkloadExtents extents, long heapBytes) {
        this.extents = extents;
        this.heapBytes = heapBytes;
        this.targets = new TargetPlanner(targets);
        this.engines = new EnginePlanner(engines, schedulers, backends, this.targets, extents);
    }

    /// The planner of engine subjects.
    EnginePlanner engines() {
        return engines;
    }

    /// What an experiment uses outside the program; each once.
    List<Access> accesses(ExperimentSpec spec) {
        Stream<Access> files = spec.workloads().stream()
                .flatMap(workload -> Stream.of(Optional.ofNullable(workload.promptFile()),
                        Optional.ofNullable(workload.refinements().trace()).map(TraceReplay::file)))
                .flatMap(Optional::stream).map(file -> new Access(Access.Kind.FILE, file));
        return Stream.concat(targets.accesses(spec), files).distinct().toList();
    }

    /// All faults, in the order subjects, workloads, counts, cells.
    List<PlanFault> faults(ExperimentSpec spec) {
        List<PlanFault> faults = new ArrayList<>();
        if (spec.cellCount() > ExperimentSpec.MOST_CELLS) {
            return List.of(new PlanFault("cells",
                    "More than " + ExperimentSpec.MOST_CELLS + " cells. Give fewer engines, schedulers or workloads."));
        }
        if (spec.cellCount() * spec.mostRuns() > ExperimentSpec.MOST_RUNS) {
            return List.of(new PlanFault("runs", "More than " + ExperimentSpec.MOST_RUNS
                    + " runs. Give fewer repetitions, engines, schedulers or workloads."));
        }
        if (!spec.engines().isEmpty() || spec.targets().isEmpty()) {
            faults.addAll(engines.faults(spec));
        } else {
            require(spec.schedulers().isEmpty() && spec.backends().isEmpty(), faults, ExperimentFields.TARGETS.name(),
                    "Schedulers and backends belong to engines, and there is no engine. Add one, or leave them out.");
        }
        faults.addAll(targets.faults(spec));
        require(!spec.workloads().isEmpty(), faults, WORKLOADS, "No workload is given. Give at least one.");
        for (Field<ExperimentSpec, ?> field : ExperimentFields.ALL) {
            field.check(spec, sentence -> faults.add(new PlanFault(field.name(), sentence)));
        }
        spec.workloads().forEach(workload -> workloadFaults(workload, faults));
        severalAnswers(spec, faults);
        baseline(spec, faults);
        require(!spec.search() || !spec.goal().objective().isEmpty(), faults, ExperimentFields.SEARCH.name(),
                "A search needs limits. Give them, as in slo ttft=500ms,tpot=50ms.");
        precision(spec, faults);
        return faults.isEmpty() ? engines.matrixFaults(spec) : faults.stream().distinct().toList();
    }

    private static void severalAnswers(ExperimentSpec spec, List<PlanFault> faults) {
        boolean several = spec.workloads().stream().anyMatch(load -> load.refinements().answers() > 1);
        require(!several || spec.engines().isEmpty(), faults, WORKLOADS,
                "Engines of this program give one answer to a prompt. Leave n out, or measure servers alone.");
        require(!several || !spec.keepText(), faults, WORKLOADS,
                "keep_text records one answer to a prompt. Leave n or keep_text out.");
    }

    private void workloadFaults(WorkloadSpec workload, List<PlanFault> faults) {
        String name = workload.name() + ": ";
        try {
            extents.of(workload);
        } catch (IOException e) {
            faults.add(new PlanFault(WORKLOADS, FileFault.sentence(e)));
        }
        for (Field<WorkloadSpec, ?> field : WorkloadFields.ALL) {
            field.check(workload,
                    sentence -> faults.add(new PlanFault(WORKLOADS, name + field.name() + ": " + sentence)));
        }
        workload.faults().forEach(sentence -> faults.add(new PlanFault(WORKLOADS, name + sentence)));
        WorkloadDraw.fault(workload, heapBytes)
                .ifPresent(sentence -> faults.add(new PlanFault(WORKLOADS, name + sentence)));
    }

    private static void precision(ExperimentSpec spec, List<PlanFault> faults) {
        PrecisionTarget until = spec.until();
        if (until == null) {
            require(spec.maxRuns() == 0, faults, ExperimentFields.MAX_RUNS.name(),
                    "The most runs belong to until, as in until output_throughput=2%. Add it, or give runs.");
            return;
        }
        String where = ExperimentFields.UNTIL.name();
        Optional<Metric> metric = Metrics.find(until.metric());
        List<String> possible = Metrics.all().stream().filter(Comparisons::byRatio).map(Metric::id).toList();
        require(metric.isPresent(), faults, where, NearMisses.sentence("metric", until.metric(), possible));
        require(metric.isEmpty() || Comparisons.byRatio(metric.get()), faults, where,
                metric.map(Metric::label).orElse("")
                        + " has no width in per cent. Choose a time, a rate or an amount.");
        require(!spec.search(), faults, where, "A search chooses its runs by itself. Leave out until or search.");
        require(spec.maxRuns() == 0 || spec.maxRuns() >= spec.runs(), faults, ExperimentFields.MAX_RUNS.name(),
                "The most runs are fewer than runs, " + spec.runs() + ".");
    }

    private static void baseline(ExperimentSpec spec, List<PlanFault> faults) {
        String baseline = spec.baseline();
        List<String> systems = spec.systems();
        if (baseline == null || systems.isEmpty() || spec.baselineSystem().isPresent()) {
            return;
        }
        List<String> named = spec.systemsNamed(baseline);
        faults.add(new PlanFault(ExperimentFields.BASELINE.name(),
                named.size() > 1
                        ? named.size() + " systems are named " + baseline + ". Write the baseline with its options: "
                                + String.join(" or ", named) + "."
                        : NearMisses.sentence("scheduler or target of this experiment", baseline, systems)));
    }

    /// The runs in order of execution: cells in seeded order, every second repetition reversed (A B B A), which spreads
    /// machine drift over all cells.
    List<RunPlan> plan(ExperimentSpec spec, String experiment, Path experimentFolder) throws EngineFormatException {
        List<Cell> cells = spec.cells();
        IntFunction<List<Integer>> order = order(spec);
        List<RunPlan> plans = new ArrayList<>();
        for (int repetition = 0; repetition < spec.runs(); repetition++) {
            for (int cellIndex : order.apply(repetition)) {
                plans.add(plan(spec, cells.get(cellIndex), experimentFolder,
                        new RunPlan.RunIndex(experiment, plans.size(), cellIndex, repetition)));
            }
        }
        return plans;
    }

    /// The order of the cells in each repetition.
    static IntFunction<List<Integer>> order(ExperimentSpec spec) {
        List<Integer> order = new ArrayList<>(IntStream.range(0, spec.cells().size()).boxed().toList());
        Collections.shuffle(order, new Seed(spec.seed()).part("run order").generator());
        return repetition -> repetition % 2 == 0 ? order : order.reversed();
    }

    /// One run of a cell.
    RunPlan plan(ExperimentSpec spec, Cell cell, Path experimentFolder, RunPlan.RunIndex index)
            throws EngineFormatException {
        PlannedSubject subject = switch (cell.subject()) {
            case EngineSubject engine -> engines.plan(spec, engine, cell.workload());
            case TargetSubject(var target) -> new PlannedSubject.PlannedTarget(target);
        };
        String folder =
                experimentFolder.resolve(folderName(index.run(), cell, index.repetition())).toAbsolutePath().toString();
        // All cells of a repetition get the same load.
        long workloadSeed = new Seed(spec.seed()).part("workload").part(index.repetition()).value();
        return new RunPlan(index, subject, cell.workload(), folder,
                new RunPlan.Procedure(spec.warmUpRequests(), workloadSeed, spec.sampleEveryMillis(), spec.keepText()),
                spec.goal(), null);
    }

    private static void require(boolean holds, List<PlanFault> faults, String where, String sentence) {
        if (!holds) {
            faults.add(new PlanFault(where, sentence));
        }
    }

    private static String folderName(int run, Cell cell, int repetition) {
        Subject subject = cell.subject();
        String system = switch (subject) {
            case EngineSubject engine -> engine.scheduler().name();
            case TargetSubject target -> target.system();
        };
        String readable = (subject.model().map(model -> model + "_").orElse("") + system + "_" + cell.workload().name())
                .replaceAll("[^A-Za-z0-9._-]", "-");
        return String.format(Locale.ROOT, "run-%03d_%s_%d", run,
                readable.substring(0, Math.min(LONGEST_NAME, readable.length())), repetition + 1);
    }
}
