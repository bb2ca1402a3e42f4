package org.inferometer.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.inferometer.engine.EngineFormatException;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.execution.Backend;
import org.inferometer.execution.Backends;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanFault;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.record.RunPlan;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.target.TargetKinds;
import org.inferometer.units.NearMisses;
import org.inferometer.units.Seed;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadExtent;
import org.inferometer.workload.WorkloadExtents;
import org.inferometer.workload.WorkloadSpec;

/// Turns what was asked into what will happen, and finds everything that is wrong with it before anything starts.
final class Planner {
    private static final int OPEN_LOOP_ROWS = 32;
    private static final int MOST_DEFAULT_ROWS = 64;
    private static final int LEAST_STEP_POSITIONS = 512;

    private final EngineCatalog engines;
    private final SchedulerRegistry schedulers;
    private final Backends backends;
    private final TargetPlanner targets;
    private final WorkloadExtents extents = new WorkloadExtents();

    Planner(EngineCatalog engines, SchedulerRegistry schedulers, Backends backends, TargetKinds targets) {
        this.engines = engines;
        this.schedulers = schedulers;
        this.backends = backends;
        this.targets = new TargetPlanner(targets);
    }

    /// All faults, in the order engines, schedulers, backend, workloads, counts, cells.
    List<PlanFault> faults(ExperimentSpec spec) {
        List<PlanFault> faults = new ArrayList<>();
        if (spec.cellCount() > ExperimentSpec.MOST_CELLS) {
            return List.of(new PlanFault("cells", "There are more than " + ExperimentSpec.MOST_CELLS
                    + " combinations. Choose fewer engines, schedulers or workloads."));
        }
        if (spec.drivesTargets()) {
            faults.addAll(targets.faults(spec));
        } else {
            engineFaults(spec, faults);
        }
        require(!spec.workloads().isEmpty(), faults, "workload", "No workload is chosen. Choose at least one.");
        range(spec.runs(), 1, 1000, "runs", faults);
        range(spec.warmUpRequests(), 0, 1_000_000, "warm-up requests", faults);
        range(spec.sampleEveryMillis(), 10, 1000, "sample period in milliseconds", faults);
        range(spec.limits().maxBatchRows(), 0, 65_536, "batch limit", faults);
        range(spec.limits().maxStepPositions(), 0, 1 << 22, "step limit", faults);
        for (WorkloadSpec workload : spec.workloads()) {
            extent(workload, faults);
            range(workload.requests(), workload.countIsOpen() ? 0 : 1, 10_000_000, "requests of " + workload.name(),
                    faults);
            workload.faults()
                    .forEach(sentence -> faults.add(new PlanFault("workload", workload.name() + ": " + sentence)));
        }
        baseline(spec, faults);
        require(!spec.search() || !spec.goal().objective().isEmpty(), faults, "search",
                "A search needs limits to search by. Give --slo, as in --slo ttft=500ms,tpot=50ms.");
        if (faults.isEmpty() && !spec.drivesTargets()) {
            spec.schedulers().forEach(scheduler -> laneFaults(spec, scheduler, faults));
        }
        if (faults.isEmpty() && !spec.drivesTargets()) {
            spec.cells().forEach(cell -> cellFaults(spec, cell, faults));
        }
        return faults;
    }

    private void engineFaults(ExperimentSpec spec, List<PlanFault> faults) {
        require(!spec.engines().isEmpty(), faults, "engine",
                "No engine is chosen. Choose at least one, or a target to drive.");
        require(!spec.schedulers().isEmpty(), faults, "scheduler", "No scheduler is chosen. Choose at least one.");
        for (String engine : spec.engines()) {
            shape(engine, faults);
        }
        for (Selection scheduler : spec.schedulers()) {
            try {
                schedulers.create(scheduler);
            } catch (OptionException e) {
                e.faults().forEach(fault -> faults.add(new PlanFault("scheduler", fault)));
            }
        }
        backend(spec.backend(), faults);
    }

    /// The runs, in the order in which they happen: cells in seeded order, every second repetition backwards (A B B A), so
    /// that drift of the machine hits all cells alike.
    List<RunPlan> plan(ExperimentSpec spec, String experiment, Path experimentFolder) throws EngineFormatException {
        List<Cell> cells = spec.cells();
        List<Integer> order = new ArrayList<>(IntStream.range(0, cells.size()).boxed().toList());
        Collections.shuffle(order, new Seed(spec.seed()).part("run order").generator());
        List<RunPlan> plans = new ArrayList<>();
        for (int repetition = 0; repetition < spec.runs(); repetition++) {
            for (int cellIndex : repetition % 2 == 0 ? order : order.reversed()) {
                plans.add(plan(spec, experiment, experimentFolder, plans.size(), cellIndex, repetition));
            }
        }
        return plans;
    }

    /// One run.
    RunPlan plan(ExperimentSpec spec, String experiment, Path experimentFolder, int run, int cellIndex, int repetition)
            throws EngineFormatException {
        Cell cell = spec.cells().get(cellIndex);
        Path folder = experimentFolder.resolve(runFolderName(run, cell, repetition));
        if (cell.target() != null) {
            return targets.plan(spec, experiment, run, cellIndex, repetition, folder);
        }
        EngineEntry engine = engines.find(cell.engine());
        ModelShape shape = engine.shape().orElseThrow();
        Limits limits = limits(spec, cell, shape);
        return new RunPlan(experiment, run, cellIndex, cell, repetition, engine.folder().toAbsolutePath().toString(),
                folder.toAbsolutePath().toString(), spec.warmUpRequests(), workloadSeed(spec, repetition),
                spec.sampleEveryMillis(), kvBytes(spec, cell, shape, limits), limits,
                lanes(cell.scheduler(), cell.backend()).layout(), spec.goal(), null);
    }

    /// Equal over the cells of one repetition, so that all face the same load.
    static long workloadSeed(ExperimentSpec spec, int repetition) {
        return new Seed(spec.seed()).part("workload").part(repetition).value();
    }

    /// The lanes of a scheduler: as it needs, which may follow what the backend was asked for. Neither selection has faults.
    SchedulerLanes lanes(Selection scheduler, Selection backend) {
        Backend opened = backends.find(backend.name());
        try {
            LaneLayout layout = schedulers.find(scheduler.name()).layout(scheduler, opened.lanes(backend));
            return new SchedulerLanes(scheduler, layout, opened.threads(backend, layout));
        } catch (OptionException e) {
            throw new IllegalArgumentException("The scheduler was to be checked first: " + e.getMessage(), e);
        }
    }

    /// The KV memory of a cell: as asked, else room in every pool for every row at its longest.
    long kvBytes(ExperimentSpec spec, Cell cell, ModelShape shape, Limits limits) {
        if (spec.kvBytes() > 0) {
            return spec.kvBytes();
        }
        long half = backends.find(cell.backend().name()).deviceMemoryBytes(cell.backend()) / 2;
        return Math.min(sizing(cell, shape, limits).roomyBytes(), half);
    }

    private KvSizing sizing(Cell cell, ModelShape shape, Limits limits) {
        Backend backend = backends.find(cell.backend().name());
        return new KvSizing(lanes(cell.scheduler(), cell.backend()).layout(), limits,
                extent(cell.workload(), new ArrayList<>()).longestPrompt(), backend.blockTokens(cell.backend()),
                backend.kvBytesPerToken(shape, cell.backend()));
    }

    /// The limits of a cell: as asked, else wide enough for the workload and with a row for every lane that computes.
    ///
    /// A scheduler with many lanes is given no more than one with a single lane; its own options may let each lane use the whole.
    Limits limits(ExperimentSpec spec, Cell cell, ModelShape shape) {
        WorkloadSpec workload = cell.workload();
        WorkloadExtent extent = extent(workload, new ArrayList<>());
        int rows = switch (workload.arrivals()) {
            case ArrivalProcess.ClosedLoop(int concurrency) -> Math.min(concurrency, MOST_DEFAULT_ROWS);
            case ArrivalProcess.OpenLoop open -> OPEN_LOOP_ROWS;
        };
        ExperimentSpec.AskedLimits asked = spec.limits();
        return new Limits(
                asked.maxBatchRows() > 0 ? asked.maxBatchRows()
                        : Math.max(rows, lanes(cell.scheduler(), cell.backend()).layout().computingLanes()),
                asked.maxStepPositions() > 0 ? asked.maxStepPositions()
                        : Math.max(LEAST_STEP_POSITIONS, extent.longestPrompt()),
                asked.maxSequencePositions() > 0 ? asked.maxSequencePositions()
                        : Math.min(extent.longestTotal(), shape.maxPositions()));
    }

    private void cellFaults(ExperimentSpec spec, Cell cell, List<PlanFault> faults) {
        ModelShape shape = shape(cell.engine(), faults).orElseThrow();
        Limits limits = limits(spec, cell, shape);
        WorkloadExtent extent = extent(cell.workload(), faults);
        int longest = extent.longestTotal();
        if (longest > shape.maxPositions()) {
            faults.add(new PlanFault(cell.label(), "The workload reaches " + longest + " positions and " + cell.engine()
                    + " has " + shape.maxPositions() + ". Choose shorter lengths or another engine."));
        }
        try {
            schedulers
                    .faults(cell.scheduler(), limits, extent.longestPrompt(),
                            Math.min(longest, limits.maxSequencePositions()))
                    .forEach(sentence -> faults.add(new PlanFault(cell.label(), sentence)));
        } catch (OptionException e) {
            // Said already, with the scheduler itself.
            return;
        }
        sizing(cell, shape, limits).faults(kvBytes(spec, cell, shape, limits))
                .forEach(sentence -> faults.add(new PlanFault(cell.label(), sentence)));
    }

    private static void baseline(ExperimentSpec spec, List<PlanFault> faults) {
        List<Selection> compared = spec.comparedSchedulers();
        if (spec.baseline() == null || compared.isEmpty() || spec.baselineScheduler().isPresent()) {
            return;
        }
        List<String> written = compared.stream().map(Selection::toString).toList();
        long named = compared.stream().filter(scheduler -> scheduler.name().equals(spec.baseline())).count();
        faults.add(new PlanFault("baseline",
                named > 1
                        ? named + " of the schedulers are named " + spec.baseline()
                                + "; write the baseline with its options: " + String.join(" or ", written) + "."
                        : NearMisses.sentence("scheduler of this experiment", spec.baseline(), written)));
    }

    /// Lanes that were asked for and lanes that the scheduler needs must agree, and each must be able to get a row.
    private void laneFaults(ExperimentSpec spec, Selection scheduler, List<PlanFault> faults) {
        LaneLayout layout = lanes(scheduler, spec.backend()).layout();
        int asked = backends.find(spec.backend().name()).lanes(spec.backend());
        int computing = layout.computingLanes();
        if (asked > 0 && asked != computing && asked != layout.lanes().size()) {
            faults.add(new PlanFault(scheduler.toString(),
                    "It works on " + computing + (computing == 1 ? " lane" : " lanes") + ", but " + spec.backend()
                            + " asks for " + asked
                            + ". Leave the backend's lanes out, or change the scheduler's options to match."));
        }
        int rows = spec.limits().maxBatchRows();
        if (rows > 0 && rows < computing) {
            faults.add(new PlanFault(scheduler.toString(),
                    "A batch limit of " + rows + " cannot be spread over " + computing
                            + " lanes: some would never have work. Raise --max-batch-size to " + computing
                            + " or more, or use fewer lanes."));
        }
    }

    private Optional<ModelShape> shape(String engine, List<PlanFault> faults) {
        try {
            EngineEntry entry = engines.find(engine);
            if (entry.state() == EngineEntry.State.DAMAGED) {
                faults.add(new PlanFault("engine", engine + " is damaged: " + entry.problem()));
            }
            return entry.shape();
        } catch (EngineFormatException e) {
            faults.add(new PlanFault("engine", String.valueOf(e.getMessage())));
            return Optional.empty();
        }
    }

    private void backend(Selection selection, List<PlanFault> faults) {
        try {
            Backend backend = backends.find(selection.name());
            backend.absence().ifPresentOrElse(sentence -> faults.add(new PlanFault("backend", sentence)), () -> backend
                    .faults(selection).forEach(sentence -> faults.add(new PlanFault("backend", sentence))));
        } catch (IllegalArgumentException e) {
            faults.add(new PlanFault("backend", String.valueOf(e.getMessage())));
        }
    }

    private WorkloadExtent extent(WorkloadSpec workload, List<PlanFault> faults) {
        try {
            return extents.of(workload);
        } catch (IOException e) {
            faults.add(new PlanFault("workload", String.valueOf(e.getMessage())));
            return new WorkloadExtent(1, 2);
        }
    }

    private static void require(boolean holds, List<PlanFault> faults, String where, String sentence) {
        if (!holds) {
            faults.add(new PlanFault(where, sentence));
        }
    }

    private static void range(long value, long min, long max, String what, List<PlanFault> faults) {
        if (value < min || value > max) {
            faults.add(new PlanFault(what, value + " is out of range; choose " + min + " to " + max + "."));
        }
    }

    private static String runFolderName(int run, Cell cell, int repetition) {
        String readable = (cell.engine() + "_" + cell.scheduler().name() + "_" + cell.workload().name())
                .replaceAll("[^A-Za-z0-9._-]", "-");
        return String.format(java.util.Locale.ROOT, "run-%03d_%s_%d", run,
                readable.substring(0, Math.min(80, readable.length())), repetition + 1);
    }
}
