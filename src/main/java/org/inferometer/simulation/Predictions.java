package org.inferometer.simulation;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicBoolean;
import org.inferometer.engine.tokenizer.Tokenizer;
import org.inferometer.execution.Backends;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.Subject;
import org.inferometer.experiment.Subject.EngineSubject;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.RunFigures;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.Figure;
import org.inferometer.record.Metric;
import org.inferometer.record.PlannedSubject.PlannedEngine;
import org.inferometer.record.RunManifest.Pools;
import org.inferometer.record.RunObservations.Setup;
import org.inferometer.record.RunRecord;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.units.Seed;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.LoadKind;
import org.inferometer.workload.WorkloadSpec;
import org.jspecify.annotations.Nullable;

/// Predicts the cells of a measured experiment: as they were measured, from its other cells, or under another load or scheduler.
public final class Predictions {
    /// The figures that are predicted, as far as a run has them.
    public static final List<Metric> METRICS = List.of(Metrics.OUTPUT_THROUGHPUT, Metrics.TTFT.p50(),
            Metrics.TTFT.p95(), Metrics.ITL.p50(), Metrics.E2E.p50(), Metrics.E2E.p95(), Metrics.OBJECTIVE_MET,
            Metrics.KV_USE_MEAN, Metrics.PREEMPTIONS);
    private static final int REPLICATES = 20;
    private static final double TAIL = 0.05;

    private final ExperimentRecord experiment;
    private final SchedulerRegistry schedulers;
    private final Backends backends;
    private final AtomicBoolean cancelled;

    /// A cell that was predicted.
    ///
    /// @param cell index of the measured cell in the experiment
    /// @param fromOwnRuns whether its own runs gave the step times, for want of other cells of its engine
    /// @param sameRequests whether the requests are those that were measured
    /// @param mostRows rows of the largest simulated step
    /// @param mostMeasuredRows rows of the largest step whose time was measured; the times of larger ones are extrapolated
    public record CellPrediction(@JsonProperty("cell") int cell, @JsonProperty("label") String label,
            @JsonProperty("runs") int runs, @JsonProperty("from_own_runs") boolean fromOwnRuns,
            @JsonProperty("same_requests") boolean sameRequests, @JsonProperty("most_rows") int mostRows,
            @JsonProperty("most_measured_rows") int mostMeasuredRows,
            @JsonProperty("figures") List<PredictedFigure> figures) {}

    /// A predicted figure, the mean over the runs of the cell.
    ///
    /// @param measured the mean of the measured runs; absent where another load or scheduler is predicted
    /// @param low below it lie 5 % of the predictions
    /// @param high above it lie 5 % of the predictions
    public record PredictedFigure(@JsonProperty("metric") String metric,
            @JsonProperty("measured") @Nullable Double measured, @JsonProperty("predicted") double predicted,
            @JsonProperty("low") double low, @JsonProperty("high") double high) {
        /// Predicted by measured; empty where nothing was measured.
        public OptionalDouble ratio() {
            return measured == null || measured == 0 ? OptionalDouble.empty() : OptionalDouble.of(predicted / measured);
        }

        /// Whether the measured figure lies between the ends of the predictions.
        public boolean covered() {
            return measured != null && low <= measured && measured <= high;
        }
    }

    /// What differs from the measured cell.
    public record Change(Optional<ArrivalProcess> arrivals, Optional<Selection> scheduler) {
        /// Whether nothing differs.
        public boolean isNone() {
            return arrivals.isEmpty() && scheduler.isEmpty();
        }

        /// A measured cell after the change; its name does not tell it from others where the load changes.
        public Cell of(Cell measured) {
            Subject subject = measured.subject() instanceof EngineSubject engine && scheduler.isPresent()
                    ? new EngineSubject(engine.engine(), scheduler.get(), engine.backend(), engine.limits())
                    : measured.subject();
            return new Cell(subject, arrivals.map(changed -> measured.workload().withArrivals(changed).withName("load"))
                    .orElse(measured.workload()));
        }
    }

    /// @param cancelled ends the work early if true; the result is then incomplete
    public Predictions(ExperimentRecord experiment, SchedulerRegistry schedulers, Backends backends,
            AtomicBoolean cancelled) {
        this.experiment = experiment;
        this.schedulers = schedulers;
        this.backends = backends;
        this.cancelled = cancelled;
    }

    /// Predicts a cell as it was measured, from the other cells of its engine; empty if it has no complete run of an engine with
    /// steps.
    ///
    /// @param tokenizer of the cell's engine
    /// @throws IOException if its prompts or its trace cannot be read
    public Optional<CellPrediction> check(int cell, Tokenizer tokenizer) throws IOException, OptionException {
        List<RunRecord> runs = experiment.completeRuns(cell);
        if (runs.isEmpty() || !(runs.getFirst().manifest().plan().subject() instanceof PlannedEngine engine)) {
            return Optional.empty();
        }
        Pools pools = runs.getFirst().manifest().system().pools();
        List<RunRecord> others = alike(engine, pools.laneThreads()).stream()
                .filter(run -> run.manifest().plan().index().cell() != cell).toList();
        CellSimulation simulation = new CellSimulation(runs, engine, pools, runs.getFirst().observations().setup(),
                runs.getFirst().manifest().plan().workload(), tokenizer);
        return predicted(cell, experiment.manifest().spec().label(runs.getFirst().manifest().plan().cell()), runs,
                others, simulation, true);
    }

    /// Predicts what a cell would be after a change; empty as for [#check], and if no run has as many threads a lane.
    ///
    /// @throws OptionException if the scheduler does not exist or its options are wrong
    public Optional<CellPrediction> after(Change change, int cell, Tokenizer tokenizer)
            throws IOException, OptionException {
        List<RunRecord> runs = experiment.completeRuns(cell);
        if (runs.isEmpty() || !(runs.getFirst().manifest().plan().subject() instanceof PlannedEngine measured)) {
            return Optional.empty();
        }
        RunRecord first = runs.getFirst();
        Selection scheduler = change.scheduler().orElse(measured.scheduler());
        LaneLayout layout = schedulers.find(scheduler.name()).layout(scheduler,
                backends.find(measured.backend().name()).lanes(measured.backend()));
        List<Integer> threads = backends.find(measured.backend().name()).threads(measured.backend(), layout);
        PlannedEngine engine = new PlannedEngine(measured.engine(), measured.engineFolder(), scheduler,
                measured.backend(), measured.kvBytes(), measured.limits(), measured.asked(), layout);
        WorkloadSpec load = change.arrivals().map(first.manifest().plan().workload()::withArrivals)
                .orElse(first.manifest().plan().workload());
        Pools pools = pools(first.manifest().system().pools(), layout, threads,
                schedulers.create(scheduler).reusesPrefixes());
        Setup old = first.observations().setup();
        Setup setup = new Setup(layout.lanes(), threads, pools.blocks(), old.maxBatchRows(), old.cores(),
                pools.reusesPrefixes(), old.computesHere(), old.goal(), LoadKind.of(load));
        String label = experiment.manifest().spec().label(change.of(first.manifest().plan().cell()))
                + change.arrivals().map(arrivals -> " · " + arrivals).orElse("");
        return predicted(cell, label, runs, alike(engine, threads),
                new CellSimulation(runs, engine, pools, setup, load, tokenizer), false);
    }

    /// The measured blocks, split among the pools of a layout.
    private static Pools pools(Pools measured, LaneLayout layout, List<Integer> threads, boolean reusesPrefixes) {
        int blocks = measured.blocks().stream().mapToInt(Integer::intValue).sum();
        return new Pools(layout.lanes().size(), measured.blockTokens(),
                layout.poolShares().stream().map(share -> Math.max(1, (int) (share * blocks))).toList(),
                measured.blockBytes(), threads, reusesPrefixes);
    }

    /// Complete runs of an engine on its backend, with as many threads a lane.
    private List<RunRecord> alike(PlannedEngine engine, List<Integer> laneThreads) {
        List<Integer> first = laneThreads.stream().limit(1).toList();
        return experiment.runs().stream()
                .filter(run -> run.manifest().plan().subject() instanceof PlannedEngine other
                        && other.engine().equals(engine.engine()) && other.backend().equals(engine.backend())
                        && run.manifest().system().pools().laneThreads().stream().limit(1).toList().equals(first))
                .toList();
    }

    private Optional<CellPrediction> predicted(int cell, String label, List<RunRecord> runs, List<RunRecord> donors,
            CellSimulation simulation, boolean isCheck) throws OptionException {
        boolean own = isCheck && donors.isEmpty();
        List<ObservedRun> observed = (own ? runs : donors).stream().map(ObservedRun::of).toList();
        int mostMeasured = observed.stream().flatMap(run -> run.steps().stream()).mapToInt(step -> step.work().rows())
                .max().orElse(0);
        if (mostMeasured == 0) {
            return Optional.empty();
        }
        ServingTimes times = ServingTimes.fit(observed);
        List<List<List<Figure>>> predicted = new ArrayList<>();
        Seed seed = new Seed(experiment.manifest().spec().seed()).part("simulation").part(cell);
        for (int i = 0; i < REPLICATES && !cancelled.get(); i++) {
            predicted.add(simulation.figures(schedulers, times.resampled(seed.part(i)), seed.part(i), cancelled));
        }
        List<List<Figure>> measured =
                isCheck ? runs.stream().map(run -> RunFigures.of(run.observations())).toList() : List.of();
        List<PredictedFigure> figures = new ArrayList<>();
        for (Metric metric : METRICS) {
            figure(metric, measured, predicted).filter(figure -> !isCheck || figure.measured() != null)
                    .ifPresent(figures::add);
        }
        return Optional.of(new CellPrediction(cell, label, runs.size(), own, simulation.hasSameRequests(),
                simulation.mostRows(), mostMeasured, figures));
    }

    /// @param measured `[runs]`; empty where nothing was measured
    /// @param predicted `[replicates][runs]`
    private static Optional<PredictedFigure> figure(Metric metric, List<List<Figure>> measured,
            List<List<List<Figure>>> predicted) {
        OptionalDouble truth = mean(metric, measured);
        double[] means = predicted.stream().map(runs -> mean(metric, runs)).filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble).sorted().toArray();
        if (means.length == 0) {
            return Optional.empty();
        }
        int cut = (int) Math.floor(TAIL * means.length);
        return Optional.of(new PredictedFigure(metric.id(), truth.isPresent() ? truth.getAsDouble() : null,
                Arrays.stream(means).average().orElseThrow(), means[cut], means[means.length - 1 - cut]));
    }

    private static OptionalDouble mean(Metric metric, List<List<Figure>> runs) {
        return runs.stream().map(figures -> RunFigures.find(figures, metric).orElse(null)).filter(Objects::nonNull)
                .mapToDouble(Figure::value).average();
    }
}
