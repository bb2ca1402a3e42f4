package org.inferometer.experiment;

import java.util.List;
import java.util.Optional;
import org.inferometer.options.Selection;
import org.inferometer.workload.WorkloadSpec;
import org.jspecify.annotations.Nullable;

/// What was asked: the matrix engines × schedulers × workloads on one backend, or targets × workloads, and how often and how carefully.
///
/// @param runs repetitions of each cell
/// @param warmUpRequests requests before measuring starts, drained and left out of every figure
/// @param seed every random draw of the experiment comes from it
/// @param sampleEveryMillis telemetry period, 10 to 1000
/// @param kvBytes size of the KV memory; 0 for as much as the workload's concurrency can use, up to half the free memory
/// @param limits batch limits; a value of 0 takes the default for the workload
/// @param baseline the scheduler that the others are held against, as it stands in `schedulers` or by its name alone where that is
///     enough; absent for the first
/// @param targets targets outside this process, which are then driven in place of engines; empty for engines in it
/// @param goal what the cells are judged by beside speed
/// @param search whether the workloads are a grid of rising loads in which the highest that meets the goal is looked for; else all are run
public record ExperimentSpec(String name, List<String> engines, List<Selection> schedulers,
        List<WorkloadSpec> workloads, Selection backend, int runs, int warmUpRequests, long seed, int sampleEveryMillis,
        long kvBytes, AskedLimits limits, @Nullable String baseline, List<Selection> targets, DeploymentGoal goal,
        boolean search) {
    /// Records of experiments that knew no targets and no goal leave them out.
    @SuppressWarnings("ConstantConditions")
    public ExperimentSpec {
        targets = targets == null ? List.of() : List.copyOf(targets);
        goal = goal == null ? DeploymentGoal.NONE : goal;
    }

    /// An experiment with engines in this process, judged by no goal.
    public ExperimentSpec(String name, List<String> engines, List<Selection> schedulers, List<WorkloadSpec> workloads,
            Selection backend, int runs, int warmUpRequests, long seed, int sampleEveryMillis, long kvBytes,
            AskedLimits limits, @Nullable String baseline) {
        this(name, engines, schedulers, workloads, backend, runs, warmUpRequests, seed, sampleEveryMillis, kvBytes,
                limits, baseline, List.of(), DeploymentGoal.NONE, false);
    }

    /// An experiment whose baseline is its first scheduler.
    public ExperimentSpec(String name, List<String> engines, List<Selection> schedulers, List<WorkloadSpec> workloads,
            Selection backend, int runs, int warmUpRequests, long seed, int sampleEveryMillis, long kvBytes,
            AskedLimits limits) {
        this(name, engines, schedulers, workloads, backend, runs, warmUpRequests, seed, sampleEveryMillis, kvBytes,
                limits, null);
    }

    /// @param maxBatchRows requests in a step, 0 for the default
    /// @param maxStepPositions positions in a step, 0 for the default
    /// @param maxSequencePositions positions of a request, 0 for what the workload can reach
    public record AskedLimits(int maxBatchRows, int maxStepPositions, int maxSequencePositions) {
        /// All defaults.
        public static final AskedLimits DEFAULTS = new AskedLimits(0, 0, 0);
    }

    /// The most cells that an experiment may have.
    public static final long MOST_CELLS = 100_000;

    /// How many cells the matrix has, known before any is made; [Long#MAX_VALUE] where that is no number.
    public long cellCount() {
        long rows = drivesTargets() ? targets.size() : (long) engines.size() * schedulers.size();
        return Math.multiplyHigh(rows, workloads.size()) == 0 && rows * workloads.size() >= 0 ? rows * workloads.size()
                : Long.MAX_VALUE;
    }

    /// The cells of the matrix, engines or targets outermost. Whoever did not make the experiment looks at [#cellCount] before.
    public List<Cell> cells() {
        return drivesTargets()
                ? targets.stream().flatMap(
                        target -> workloads.stream().map(workload -> Cell.of(target, workload))).toList()
                : engines.stream()
                        .flatMap(
                                engine -> schedulers.stream()
                                        .flatMap(scheduler -> workloads.stream()
                                                .map(workload -> new Cell(engine, scheduler, workload, backend))))
                        .toList();
    }

    /// Whether targets outside this process are driven.
    public boolean drivesTargets() {
        return !targets.isEmpty();
    }

    /// The schedulers that are held against each other; with targets outside, each target's own.
    public List<Selection> comparedSchedulers() {
        return drivesTargets() ? targets.stream().map(Cell::schedulerOf).distinct().toList() : schedulers;
    }

    /// The scheduler that the others are held against: the one named, else the first; empty where the name fits none or several.
    public Optional<Selection> baselineScheduler() {
        List<Selection> compared = comparedSchedulers();
        if (baseline == null) {
            return compared.stream().findFirst();
        }
        Optional<Selection> whole =
                compared.stream().filter(scheduler -> scheduler.toString().equals(baseline)).findFirst();
        List<Selection> named = compared.stream().filter(scheduler -> scheduler.name().equals(baseline)).toList();
        return whole.isPresent() || named.size() != 1 ? whole : Optional.of(named.getFirst());
    }

    /// The same experiment held against another scheduler.
    public ExperimentSpec withBaseline(@Nullable String scheduler) {
        return new ExperimentSpec(name, engines, schedulers, workloads, backend, runs, warmUpRequests, seed,
                sampleEveryMillis, kvBytes, limits, scheduler, targets, goal, search);
    }

    /// The same experiment against targets outside this process; none for engines in it.
    public ExperimentSpec withTargets(List<Selection> driven) {
        return new ExperimentSpec(name, engines, schedulers, workloads, backend, runs, warmUpRequests, seed,
                sampleEveryMillis, kvBytes, limits, baseline, driven, goal, search);
    }

    /// The same experiment judged by a goal.
    public ExperimentSpec withGoal(DeploymentGoal judge) {
        return new ExperimentSpec(name, engines, schedulers, workloads, backend, runs, warmUpRequests, seed,
                sampleEveryMillis, kvBytes, limits, baseline, targets, judge, search);
    }

    /// The same experiment looking for the highest of its loads that meets the goal.
    public ExperimentSpec searching() {
        return new ExperimentSpec(name, engines, schedulers, workloads, backend, runs, warmUpRequests, seed,
                sampleEveryMillis, kvBytes, limits, baseline, targets, goal, true);
    }

    /// The same experiment with another number of repetitions.
    public ExperimentSpec withRuns(int repetitions) {
        return new ExperimentSpec(name, engines, schedulers, workloads, backend, repetitions, warmUpRequests, seed,
                sampleEveryMillis, kvBytes, limits, baseline, targets, goal, search);
    }

    /// The same experiment under another name.
    public ExperimentSpec named(String changed) {
        return new ExperimentSpec(changed, engines, schedulers, workloads, backend, runs, warmUpRequests, seed,
                sampleEveryMillis, kvBytes, limits, baseline, targets, goal, search);
    }

    /// The same experiment with other loads.
    public ExperimentSpec withWorkloads(List<WorkloadSpec> loads) {
        return new ExperimentSpec(name, engines, schedulers, loads, backend, runs, warmUpRequests, seed,
                sampleEveryMillis, kvBytes, limits, baseline, targets, goal, search);
    }
}
