package org.inferometer.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.data.Percentage;
import org.inferometer.engine.tokenizer.ByteTokenizer;
import org.inferometer.execution.Backends;
import org.inferometer.execution.Executor.OwnedMemory;
import org.inferometer.execution.host.HostBackend;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.PlannedSubject.PlannedEngine;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.SamplePlans;
import org.inferometer.record.Verdict;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.simulation.ObservedRun.ObservedCopy;
import org.inferometer.simulation.Predictions.CellPrediction;
import org.inferometer.simulation.Predictions.Change;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.units.Seed;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.LoadKind;
import org.inferometer.workload.Workload;
import org.inferometer.workload.WorkloadDraw;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.Test;

class PredictionsTest {
    private static final ByteTokenizer TOKENIZER = new ByteTokenizer(2048);
    private static final WorkloadSpec CLOSED = load("closed", "closed:concurrency=8");
    private static final WorkloadSpec POISSON = load("open", "poisson:rate=20.0");
    private static final RunManifest.Pools POOLS = new RunManifest.Pools(1, 16, List.of(512), 4096, List.of(2), false);
    private static final RunManifest.SystemUnderTest SYSTEM =
            new RunManifest.SystemUnderTest("in-process engine", "host, 2 threads", "tiny", "int4", true, POOLS);
    private static final OwnedMemory MEMORY = new OwnedMemory(0, 0, 0, 0);

    private static WorkloadSpec load(String name, String arrivals) {
        return new WorkloadSpec(name, LengthDistribution.parse("16..64"), LengthDistribution.parse("4..24"), null, 0,
                ArrivalProcess.parse(arrivals), 80, 0);
    }

    private static ExperimentSpec spec(List<String> schedulers, List<WorkloadSpec> loads) throws OptionException {
        return new ExperimentSpec("what-if", List.of("tiny-int4"), schedulers.stream().map(Selection::of).toList(),
                loads, Selection.of("host"), 3, 4, 1, 100, 0, ExperimentSpec.AskedLimits.DEFAULTS);
    }

    /// An experiment on a made-up engine, whose true step times are known.
    private static ExperimentRecord measured(List<String> schedulers, List<WorkloadSpec> loads, double noise)
            throws IOException, OptionException {
        ExperimentManifest manifest = Experiments.manifest("2026-11-29_101500_what-if", spec(schedulers, loads),
                RunStatus.COMPLETE, Verdict.Grade.VALID, Instant.parse("2026-11-29T10:15:00Z"));
        ServingTimes truth = ServingTimes.fit(
                List.of(new ObservedRun(StepTimesTest.steps(1, 2000, noise), List.of(new ObservedCopy(16, 100_000)),
                        new ObservedSends(new long[]{150_000}, new long[]{8_000}, new long[]{60_000}))));
        List<RunRecord> runs = new ArrayList<>();
        for (RunPlan plan : manifest.plan()) {
            RunRecord empty = Experiments.runRecord(plan, manifest);
            Workload workload = new WorkloadDraw(TOKENIZER).draw(plan.workload(), plan.procedure().warmUpRequests(),
                    new Seed(plan.procedure().workloadSeed()));
            RunManifest old = empty.manifest();
            runs.add(new RunRecord(
                    empty.folderName(), new RunManifest(old.formatVersion(), plan, old.machine(), SYSTEM,
                            workload.hash(), old.anchorWall(), old.outcome()),
                    observe(plan, workload, truth, plan.index().run()), List.of()));
        }
        return new ExperimentRecord(Path.of("what-if"), manifest, runs, List.of());
    }

    private static RunObservations observe(RunPlan plan, Workload workload, ServingTimes times, int seed)
            throws OptionException {
        PlannedEngine engine = SamplePlans.engine(plan);
        RunObservations.Setup setup = new RunObservations.Setup(1, 16, 2, 512).arriving(LoadKind.of(plan.workload()));
        return new SimulatedRun(engine, POOLS, setup, MEMORY, new AtomicBoolean()).observe(workload, plan.workload(),
                SchedulerRegistry.standard().create(engine.scheduler()), times, new Seed(seed));
    }

    private static Predictions predictions(ExperimentRecord experiment) {
        return new Predictions(experiment, SchedulerRegistry.standard(),
                new Backends(List.of(new HostBackend(8L << 30, 2))), new AtomicBoolean());
    }

    private static List<CellPrediction> predict(ExperimentRecord experiment) throws IOException, OptionException {
        Predictions check = predictions(experiment);
        List<CellPrediction> cells = new ArrayList<>();
        for (int cell = 0; cell < experiment.manifest().spec().cells().size(); cell++) {
            check.check(cell, TOKENIZER).ifPresent(cells::add);
        }
        return cells;
    }

    @Test
    void cellsArePredictedFromTheStepsOfTheOthers() throws Exception {
        ExperimentRecord measured =
                measured(List.of("naive", "dynamic", "simple", "continuous"), List.of(CLOSED, POISSON), 0.05);
        List<CellPrediction> cells = predict(measured);
        assertThat(cells).hasSize(8).allMatch(CellPrediction::sameRequests).noneMatch(CellPrediction::fromOwnRuns);
        PredictionErrors errors = PredictionErrors.of(cells);
        assertThat(errors.medians().figures()).isEqualTo(32);
        assertThat(errors.medians().median()).isLessThan(0.005);
        assertThat(errors.medians().worst()).isLessThan(0.04);
        assertThat(errors.tails().worst()).isLessThan(0.04);
    }

    @Test
    void oneCellIsPredictedFromItsOwnSteps() throws Exception {
        List<CellPrediction> cells = predict(measured(List.of("continuous"), List.of(CLOSED), 0));
        assertThat(cells).singleElement().satisfies(cell -> {
            assertThat(cell.fromOwnRuns()).isTrue();
            assertThat(cell.figures()).allSatisfy(figure -> assertThat(figure.predicted()).isCloseTo(figure.measured(),
                    Percentage.withPercentage(1)));
        });
    }

    @Test
    void equalSeedsGiveEqualObservations() throws Exception {
        ExperimentRecord first = measured(List.of("continuous"), List.of(POISSON), 0.05);
        ExperimentRecord second = measured(List.of("continuous"), List.of(POISSON), 0.05);
        assertThat(first.runs().getFirst().observations()).usingRecursiveComparison()
                .isEqualTo(second.runs().getFirst().observations());
        assertThat(predict(first)).isEqualTo(predict(second));
    }

    @Test
    void anotherLoadAndSchedulerArePredicted() throws Exception {
        ExperimentRecord measured = measured(List.of("simple", "continuous"), List.of(CLOSED), 0.05);
        CellPrediction predicted = predictions(measured)
                .after(new Change(Optional.of(POISSON.arrivals()), Optional.of(Selection.of("naive"))), 0, TOKENIZER)
                .orElseThrow();
        CellPrediction truth = predict(measured(List.of("naive"), List.of(POISSON), 0.05)).getFirst();
        assertThat(predicted.label()).isEqualTo("tiny-int4 · naive · load · poisson:rate=20.0");
        assertThat(predicted.sameRequests()).isFalse();
        assertThat(predicted.figures()).hasSameSizeAs(truth.figures()).allSatisfy(figure -> {
            double measuredValue = truth.figures().stream().filter(other -> other.metric().equals(figure.metric()))
                    .findFirst().orElseThrow().measured();
            assertThat(figure.predicted()).isCloseTo(measuredValue, Percentage.withPercentage(4));
            assertThat(figure.measured()).isNull();
        });
    }

    @Test
    void errorsOfNothingAreAbsent() {
        assertThat(PredictionErrors.of(List.of())).isEqualTo(new PredictionErrors(null, null, null));
    }

    @Test
    void otherRequestsThanMeasuredAreSaid() throws Exception {
        ExperimentRecord measured = measured(List.of("continuous"), List.of(CLOSED), 0);
        List<CellPrediction> cells = new ArrayList<>();
        predictions(measured).check(0, new ByteTokenizer(512)).ifPresent(cells::add);
        assertThat(cells).singleElement().matches(cell -> !cell.sameRequests());
    }
}
