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
import org.inferometer.execution.Executor.OwnedMemory;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.RunFigures;
import org.inferometer.options.OptionException;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.Figure;
import org.inferometer.record.MemoryOwner;
import org.inferometer.record.Metric;
import org.inferometer.record.PlannedSubject.PlannedEngine;
import org.inferometer.record.RunRecord;
import org.inferometer.record.TelemetrySample;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.units.Seed;
import org.inferometer.workload.Workload;
import org.inferometer.workload.WorkloadDraw;

/// Predicts the cells of a measured experiment from its other cells, and compares the figures.
public final class PredictionCheck {
    /// The figures that are compared.
    public static final List<Metric> METRICS =
            List.of(Metrics.OUTPUT_THROUGHPUT, Metrics.TTFT.p50(), Metrics.TTFT.p95(), Metrics.ITL.p50(),
                    Metrics.E2E.p50(), Metrics.E2E.p95(), Metrics.KV_USE_MEAN, Metrics.PREEMPTIONS);
    private static final int REPLICATES = 20;
    private static final double TAIL = 0.05;

    private final ExperimentRecord experiment;
    private final SchedulerRegistry schedulers;
    private final AtomicBoolean cancelled;

    /// A cell that was predicted.
    ///
    /// @param cell index in the experiment
    /// @param fromOwnRuns whether its own runs gave the step times, for want of other cells of its engine
    /// @param sameRequests whether the requests that were drawn again are those that were measured
    public record CellPrediction(@JsonProperty("cell") int cell, @JsonProperty("label") String label,
            @JsonProperty("runs") int runs, @JsonProperty("from_own_runs") boolean fromOwnRuns,
            @JsonProperty("same_requests") boolean sameRequests,
            @JsonProperty("figures") List<PredictedFigure> figures) {}

    /// A predicted figure beside the measured one, both means over the runs of the cell.
    ///
    /// @param low below it lie 5 % of the predictions
    /// @param high above it lie 5 % of the predictions
    public record PredictedFigure(@JsonProperty("metric") String metric, @JsonProperty("measured") double measured,
            @JsonProperty("predicted") double predicted, @JsonProperty("low") double low,
            @JsonProperty("high") double high) {
        /// Predicted by measured; empty where nothing was measured.
        public OptionalDouble ratio() {
            return measured == 0 ? OptionalDouble.empty() : OptionalDouble.of(predicted / measured);
        }

        /// Whether the measured figure lies between the ends of the predictions.
        public boolean covered() {
            return low <= measured && measured <= high;
        }
    }

    /// @param cancelled ends the work early if true; the result is then incomplete
    public PredictionCheck(ExperimentRecord experiment, SchedulerRegistry schedulers, AtomicBoolean cancelled) {
        this.experiment = experiment;
        this.schedulers = schedulers;
        this.cancelled = cancelled;
    }

    /// Predicts one cell; empty if it has no complete run of an engine with steps.
    ///
    /// @param tokenizer of the cell's engine
    /// @throws IOException if its prompts or its trace cannot be read
    public Optional<CellPrediction> of(int cell, Tokenizer tokenizer) throws IOException, OptionException {
        List<RunRecord> runs = experiment.completeRuns(cell);
        if (runs.isEmpty() || !(runs.getFirst().manifest().plan().subject() instanceof PlannedEngine engine)) {
            return Optional.empty();
        }
        List<RunRecord> others = experiment.runs().stream()
                .filter(run -> run.manifest().plan().index().cell() != cell && isAlike(run, runs.getFirst())).toList();
        List<ObservedRun> observed = (others.isEmpty() ? runs : others).stream().map(ObservedRun::of).toList();
        if (observed.stream().allMatch(run -> run.steps().isEmpty())) {
            return Optional.empty();
        }
        ServingTimes times = ServingTimes.fit(observed);
        List<List<Figure>> measured = runs.stream().map(run -> RunFigures.of(run.observations())).toList();
        List<Workload> workloads = new ArrayList<>();
        boolean same = true;
        for (RunRecord run : runs) {
            Workload workload = new WorkloadDraw(tokenizer).draw(run.manifest().plan().workload(),
                    run.manifest().plan().procedure().warmUpRequests(),
                    new Seed(run.manifest().plan().procedure().workloadSeed()));
            same &= workload.hash().equals(run.manifest().workloadHash());
            workloads.add(workload);
        }
        List<List<List<Figure>>> predicted = new ArrayList<>();
        Seed seed = new Seed(experiment.manifest().spec().seed()).part("simulation").part(cell);
        for (int i = 0; i < REPLICATES && !cancelled.get(); i++) {
            predicted.add(predictions(runs, engine, workloads, times.resampled(seed.part(i)), seed.part(i)));
        }
        List<PredictedFigure> figures = new ArrayList<>();
        for (Metric metric : METRICS) {
            figure(metric, measured, predicted).ifPresent(figures::add);
        }
        return Optional.of(
                new CellPrediction(cell, experiment.manifest().spec().label(runs.getFirst().manifest().plan().cell()),
                        runs.size(), others.isEmpty(), same, figures));
    }

    /// Whether two runs have the same engine on the same backend, with as many threads a lane.
    private static boolean isAlike(RunRecord one, RunRecord other) {
        return one.manifest().plan().subject() instanceof PlannedEngine a
                && other.manifest().plan().subject() instanceof PlannedEngine b && a.engine().equals(b.engine())
                && a.backend().equals(b.backend()) && firstLane(one).equals(firstLane(other));
    }

    private static List<Integer> firstLane(RunRecord run) {
        return run.manifest().system().pools().laneThreads().stream().limit(1).toList();
    }

    /// The figures of each run of a cell, once.
    private List<List<Figure>> predictions(List<RunRecord> runs, PlannedEngine engine, List<Workload> workloads,
            ServingTimes times, Seed seed) throws OptionException {
        List<List<Figure>> figures = new ArrayList<>();
        for (int i = 0; i < runs.size(); i++) {
            RunRecord run = runs.get(i);
            SimulatedRun simulated = new SimulatedRun(engine, run.manifest().system().pools(),
                    run.observations().setup(), memory(run), cancelled);
            figures.add(RunFigures.of(simulated.observe(workloads.get(i), run.manifest().plan().workload(),
                    schedulers.create(engine.scheduler()), times, seed.part(i))));
        }
        return figures;
    }

    /// What the engine owned, as its first sample says; 0 where nothing was sampled.
    private static OwnedMemory memory(RunRecord run) {
        return run.observations().telemetry().stream().findFirst().map(TelemetrySample::ownerBytes)
                .map(bytes -> new OwnedMemory(bytes[MemoryOwner.WEIGHTS.ordinal()],
                        bytes[MemoryOwner.KV_CACHE.ordinal()], bytes[MemoryOwner.ACTIVATIONS.ordinal()],
                        bytes[MemoryOwner.WORKSPACE.ordinal()]))
                .orElse(new OwnedMemory(0, 0, 0, 0));
    }

    /// @param predicted `[replicates][runs]`
    private static Optional<PredictedFigure> figure(Metric metric, List<List<Figure>> measured,
            List<List<List<Figure>>> predicted) {
        OptionalDouble truth = mean(metric, measured);
        double[] means = predicted.stream().map(runs -> mean(metric, runs)).filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble).sorted().toArray();
        if (truth.isEmpty() || means.length == 0) {
            return Optional.empty();
        }
        int cut = (int) Math.floor(TAIL * means.length);
        return Optional.of(new PredictedFigure(metric.id(), truth.getAsDouble(),
                Arrays.stream(means).average().orElseThrow(), means[cut], means[means.length - 1 - cut]));
    }

    private static OptionalDouble mean(Metric metric, List<List<Figure>> runs) {
        return runs.stream().map(figures -> RunFigures.find(figures, metric).orElse(null)).filter(Objects::nonNull)
                .mapToDouble(Figure::value).average();
    }
}
