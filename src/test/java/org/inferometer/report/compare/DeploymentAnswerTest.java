package org.inferometer.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.LoadSweep;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.measurement.CellFigures;
import org.inferometer.measurement.Metrics;
import org.inferometer.options.Selection;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.ExperimentManifest.LoadEstimate;
import org.inferometer.record.Figure;
import org.inferometer.record.SloResult;
import org.inferometer.results.SampleRecords;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DeploymentAnswerTest {
    private static final DeploymentGoal GOAL = new DeploymentGoal(ServiceObjective.parse("ttft=500ms,share=0.9"), 2);

    /// Goodput of each run and the share that met the objective, for one cell.
    private record Seen(double met, double... goodput) {}

    /// Cells in the order of two schedulers under the loads r1 and r2.
    private static ExperimentManifest experiment(DeploymentGoal goal, Seen... cells) {
        ExperimentManifest sample = SampleRecords.experiment(Path.of("x"), 3);
        ExperimentSpec spec = new ExperimentSpec("deploy", List.of("tiny-int4"),
                List.of(Selection.of("naive"), Selection.of("continuous")),
                LoadSweep.parse("rate=1,2").over(List.of(SampleRecords.WORKLOAD)), Selection.of("host"), 3, 4, 42, 100,
                0, ExperimentSpec.AskedLimits.DEFAULTS).withGoal(goal);
        List<CellSummary> summaries = new ArrayList<>();
        for (int i = 0; i < cells.length; i++) {
            Cell cell = spec.cells().get(i);
            summaries.add(new CellSummary(i, cell, "tiny", "int4", cells[i].goodput.length, figures(cells[i])));
        }
        return new ExperimentManifest(sample.formatVersion(), sample.id(), spec, sample.plan(), sample.machine(),
                new ExperimentManifest.ExperimentTimes(sample.times().started(), sample.times().ended(), null),
                new ExperimentManifest.ExperimentOutcome(sample.status(), "", summaries, sample.verdict()), false);
    }

    private static List<CellFigure> figures(Seen seen) {
        return CellFigures.of(DoubleStream.of(seen.goodput)
                .mapToObj(goodput -> List.of(new Figure(Metrics.GOODPUT, goodput, 100, true),
                        new Figure(Metrics.OBJECTIVE_MET, seen.met, 100, true),
                        new Figure(Metrics.COST_PER_MILLION, 4 / goodput, 100, true)))
                .toList());
    }

    private static String sentence(ExperimentManifest experiment) {
        return answer(experiment).answer().toString();
    }

    private static DeploymentAnswer answer(ExperimentManifest experiment) {
        return DeploymentAnswer.of(ComparedCell.of(List.of(experiment)), List.of(experiment)).orElseThrow();
    }

    @Test
    void highestGoodputWithinSloIsNamedWithCost() {
        ExperimentManifest experiment = experiment(GOAL, new Seen(0.95, 0.5, 0.51, 0.49), new Seen(0.5, 1.2, 1.2, 1.2),
                new Seen(1, 1, 1, 1), new Seen(0.96, 1.90, 1.91, 1.89));
        assertThat(sentence(experiment)).isEqualTo(
                "Highest goodput within the SLO (TTFT within 500 ms for 90 % of requests): continuous, 1.90 ± 0.02 req/s (3 runs) at"
                        + " a load of 2 req/s, 2.105 ± 0.028 per million output tokens."
                        + " Served up to 2 req/s, the highest load that was tried. Higher than every other candidate (p ≤ 0.05).");
        assertThat(answer(experiment).table().rows()).extracting(row -> row.cells().subList(0, 5)).containsExactly(
                List.of("continuous", "served in 3 runs", "2 req/s", "1.90 ± 0.02", "96.0 ± 0.0"),
                List.of("naive", "served in 3 runs", "1 req/s", "0.50 ± 0.02", "95.0 ± 0.0"));
        assertThat(answer(experiment).table().footnotes())
                .contains("naive: served up to 1 req/s, not served from 2 req/s.");
    }

    /// As with padded batches, which wait to fill: the higher load has the shorter wait.
    @Test
    void servedAboveARefusedLoadAndUndecidedRivalsAreSaid() {
        assertThat(sentence(experiment(GOAL, new Seen(0.5, 0.5, 0.5, 0.5), new Seen(1, 2, 2.01, 1.99),
                new Seen(1, 1, 1, 1), new Seen(0.9, 1.95, 1.96, 1.94))))
                .contains(" Served at 2 req/s, not served at the lower load 1 req/s."
                        + " Whether it is the highest cannot be told: continuous at 2 req/s may serve as much.");
    }

    @Test
    void equalCandidatesAreNamed() {
        assertThat(sentence(experiment(GOAL, new Seen(1, 0.5, 0.9, 0.7), new Seen(0.1, 0, 0, 0),
                new Seen(1, 0.6, 1.0, 0.8), new Seen(0.1, 0, 0, 0))))
                .endsWith("No detectable difference to naive: choose by cost or add runs.");
        assertThat(sentence(experiment(GOAL, new Seen(1, 0.5), new Seen(0.1, 0), new Seen(1, 0.6), new Seen(0.1, 0))))
                .endsWith("Not tested against the others: measure 3 runs per cell.");
    }

    @Test
    void loadAtExactlyTheShareCannotBeTold() {
        DeploymentGoal usual = new DeploymentGoal(ServiceObjective.parse("ttft=500ms"), 2);
        ExperimentManifest experiment = experiment(usual, new Seen(0.99, 1, 1, 1), new Seen(0.97, 2, 2, 2));
        assertThat(answer(experiment).table().rows()).extracting(row -> row.cells().subList(0, 5))
                .containsExactly(List.of("tiny-int4 · naive", "cannot tell", "1 req/s", "1.00 ± 0.00", "99.0 ± 0.0"));
        assertThat(sentence(experiment))
                .isEqualTo("No tested load is shown to meet the SLO (TTFT within 500 ms for 99 % of requests)."
                        + " Closest: tiny-int4 · naive at 1 req/s, 99.0 ± 0.0 % of requests. No number of requests would tell.");
    }

    @Test
    void requestsThatWouldTellAreNamed() {
        DeploymentGoal usual = new DeploymentGoal(ServiceObjective.parse("ttft=500ms"), 2);
        assertThat(sentence(experiment(usual, new Seen(0.995, 1, 1, 1))))
                .matches(".* About (1|2)\\d00 requests would tell, 300 were measured\\.");
    }

    @Test
    void invalidLoadIsNotServed() {
        ExperimentManifest experiment = experiment(GOAL, new Seen(1, 1, 1, 1));
        CellSummary cell = experiment.cells().getFirst();
        CellSummary invalid = new CellSummary(0, cell.cell(), cell.model(), cell.precision(), 3, 1, cell.figures(),
                new SloResult(SloResult.Outcome.CANNOT_TELL, 0.95, 1, 0.95, 300, 0, false));
        assertThat(sentence(experiment.withOutcome(new ExperimentManifest.ExperimentOutcome(experiment.status(), "",
                List.of(invalid), experiment.verdict()), null)))
                .endsWith(" 100.0 ± 0.0 % of requests. A run at 1 req/s is INVALID.");
    }

    @Test
    void recordedResultDecides() {
        ExperimentManifest experiment = experiment(GOAL, new Seen(1, 1, 1, 1), new Seen(1, 2, 2, 2));
        List<CellSummary> cells = new ArrayList<>();
        for (CellSummary cell : experiment.cells()) {
            boolean high = cell.cellIndex() == 1;
            cells.add(new CellSummary(cell.cellIndex(), cell.cell(), cell.model(), cell.precision(), cell.runs(), 0,
                    cell.figures(), new SloResult(high ? SloResult.Outcome.NOT_SERVED : SloResult.Outcome.SERVED, 0.95,
                            1, 0.975, 300, 0, high)));
        }
        ExperimentManifest recorded = experiment.withOutcome(
                new ExperimentManifest.ExperimentOutcome(experiment.status(), "", cells, experiment.verdict()), null);
        assertThat(sentence(recorded)).contains("req/s (3 runs) at a load of 1 req/s")
                .contains("Served up to 1 req/s, not served from 2 req/s.");
    }

    private static ExperimentManifest searched(ExperimentManifest experiment, @Nullable Double low,
            @Nullable Double high, @Nullable Double shown) {
        return experiment.withOutcome(
                new ExperimentManifest.ExperimentOutcome(experiment.status(), "", experiment.cells(),
                        experiment.verdict(), List.of(new LoadEstimate(List.of(0, 1), 1.2345, low, high, shown))),
                null);
    }

    @Test
    void aSearchSaysItsEstimate() {
        ExperimentManifest experiment = experiment(GOAL, new Seen(0.95, 1, 1, 1), new Seen(0.5, 1.2, 1.2, 1.2));
        DeploymentAnswer answer = answer(searched(experiment, 1.1, 1.6, 1.0));
        assertThat(answer.answer().toString()).contains(
                " at a load of 1 req/s, 4.000 ± 0.000 per million output tokens. Estimate: about 1.23 req/s [1.1, 1.6];"
                        + " shown to be served: 1 req/s. There is no other candidate.");
        assertThat(answer.table().footnotes()).contains("tiny-int4 · naive: about 1.23 req/s [1.1, 1.6];"
                + " shown to be served: 1 req/s; served up to 1 req/s, not served from 2 req/s.");
    }

    @Test
    void anIntervalThatEndsOutsideOfTheSearchHasOneEnd() {
        ExperimentManifest none = experiment(GOAL, new Seen(0.85, 1, 1, 1), new Seen(0.5, 1.2, 1.2, 1.2));
        assertThat(sentence(searched(none, 1.1, null, null)))
                .contains("Estimate: at least 1.1 req/s; no load is shown to be served. Closest: ");
        assertThat(sentence(searched(none, null, 1.6, null)))
                .contains("Estimate: at most 1.6 req/s; no load is shown to be served. Closest: ");
        assertThat(sentence(searched(none, null, null, null))).doesNotContain("Estimate");
    }

    @Test
    void closestLoadIsNamedIfNoneMeetsTheSlo() {
        assertThat(sentence(experiment(GOAL, new Seen(0.2, 1, 1, 1), new Seen(0.1, 1, 1, 1), new Seen(0.7, 1, 1, 1),
                new Seen(0.3, 2, 2, 2)))).isEqualTo(
                        "No tested load meets the SLO (TTFT within 500 ms for 90 % of requests). Closest: continuous at 1 req/s,"
                                + " 70.0 ± 0.0 % of requests. Lower the load.");
    }

    @Test
    void noAnswerWithoutSlo() {
        ExperimentManifest experiment = experiment(DeploymentGoal.NONE, new Seen(1, 1, 1, 1));
        assertThat(DeploymentAnswer.of(ComparedCell.of(List.of(experiment)), List.of(experiment))).isEmpty();
    }
}
