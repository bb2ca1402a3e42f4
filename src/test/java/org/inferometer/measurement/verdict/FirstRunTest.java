package org.inferometer.measurement.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.Subject.TargetSubject;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.RepeatedPromptsTest;
import org.inferometer.options.Selection;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.Metric;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict.Condition;
import org.inferometer.record.Verdict.Requirement;
import org.inferometer.record.Verdict.State;
import org.inferometer.results.SampleRecords;
import org.inferometer.units.Seed;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.Test;

/// A server whose first run filled its cache.
class FirstRunTest {
    private static final String NAME = "first run like the others";
    private static final ExperimentSpec SPEC = SampleRecords.experiment(Path.of("x"), 3).spec();
    private static final CellSummary SAMPLE = SampleRecords.experiment(Path.of("x"), 3).cells().getFirst();

    /// Two loads, each run three times in turn; the first run of all is slow.
    @Test
    void cellThatRanFirstIsNamed() {
        String server = "http:url=http://a.test,model=m";
        WorkloadSpec four = new WorkloadPresets().find("short").withPromptFile("p.txt").withRequests(0);
        WorkloadSpec eight = four.withArrivals(new ArrivalProcess.ClosedLoop(8)).withName("eight");
        long[][] millis = {{3246}, {801}, {963}, {822}, {791}, {790}};
        List<RunRecord> runs = new ArrayList<>();
        for (int i = 0; i < millis.length; i++) {
            runs.add(RepeatedPromptsTest.run(i, i % 2, server, i % 2 == 0 ? four : eight, 1, millis[i]));
        }
        ExperimentManifest sample = SampleRecords.experiment(Path.of("x"), 3);
        ExperimentSpec spec = sample.spec().withSubjects(List.of(new TargetSubject(Selection.parse(server))))
                .withWorkloads(List.of(four, eight));
        ExperimentManifest asked = new ExperimentManifest(sample.formatVersion(), sample.id(), spec, List.of(),
                sample.machine(), sample.times(), sample.outcome(), false);
        ExperimentManifest ended =
                ExperimentSummary.ended(asked, runs, RunStatus.COMPLETE, "", Instant.parse("2026-01-01T00:00:00Z"));

        assertThat(ended.outcome().verdict().conditions()).contains(new Condition(Requirement.FIRST_RUN, NAME,
                State.WARNING, "TTFT mean 3246 ms in the first run, 877 ms in the others (m · http · short)",
                "Its prompts were new to the server; the others repeat them. Give each prompt a line of its own (vary_prompts)."));
        assertThat(ended.cells()).extracting(cell -> values(cell, Metrics.REPEATED_PROMPTS))
                .containsExactly(List.of(0.0, 1.0, 1.0), List.of(1.0, 1.0, 1.0));
        assertThat(VerdictRules.grade(ended.outcome().verdict().conditions().stream()
                .filter(condition -> condition.requirement() == Requirement.FIRST_RUN).toList()).name())
                .isEqualTo("VALID");
    }

    private static List<Double> values(CellSummary cell, Metric metric) {
        return cell.figures().stream().filter(figure -> figure.metric().equals(metric)).findFirst().orElseThrow()
                .runValues();
    }

    @Test
    void runsAreJudgedFromThreeOnAndOnlyWhereTheFirstHadNewPrompts() {
        assertThat(state(List.of(0.0, 9.0), 300, 100)).contains(State.NOT_CHECKED);
        assertThat(state(List.of(0.0, 9.0, 9.0), 100, 101, 102)).contains(State.MET);
        assertThat(state(List.of(0.0, 9.0, 9.0), 109, 100, 100)).contains(State.MET);
        assertThat(state(List.of(0.0, 9.0, 9.0), 300, 100, 101)).contains(State.WARNING);
        assertThat(state(List.of(9.0, 9.0, 9.0), 300, 100, 101)).isEmpty();
        assertThat(state(List.of(), 300, 100, 101)).isEmpty();
    }

    /// 5,000 experiments a row; standard error at most 0.7 points.
    @Test
    void noiseIsRarelyTakenForACache() {
        for (int runs : new int[]{3, 5, 10}) {
            assertThat(warned(runs, 0.05, 1)).as("5 %% noise, %s runs", runs).isLessThan(0.06);
            assertThat(warned(runs, 0.2, 1)).as("20 %% noise, %s runs", runs).isBetween(0.03, 0.06);
        }
        assertThat(warned(3, 0.1, 4)).as("three runs, a cache that saves three quarters").isGreaterThan(0.75);
        assertThat(warned(5, 0.1, 4)).isGreaterThan(0.99);
        assertThat(warned(5, 0.2, 2)).isGreaterThan(0.7);
    }

    private static double warned(int runs, double noise, double ratio) {
        RandomGenerator random = new Seed(runs).part("noise " + noise + " " + ratio).generator();
        List<Double> repeated = new ArrayList<>(Collections.nCopies(runs, 9.0));
        repeated.set(0, 0.0);
        int found = 0;
        for (int i = 0; i < 5_000; i++) {
            double[] millis = new double[runs];
            for (int run = 0; run < runs; run++) {
                millis[run] = 100 * Math.exp(noise * random.nextGaussian()) * (run == 0 ? ratio : 1);
            }
            found += state(repeated, millis).equals(Optional.of(State.WARNING)) ? 1 : 0;
        }
        return found / 5_000.0;
    }

    private static Optional<State> state(List<Double> repeated, double... millis) {
        List<Double> nanos = new ArrayList<>();
        for (double each : millis) {
            nanos.add(each * 1e6);
        }
        List<CellFigure> figures = new ArrayList<>(List.of(figure(Metrics.TTFT.mean(), nanos)));
        if (!repeated.isEmpty()) {
            figures.add(figure(Metrics.REPEATED_PROMPTS, repeated));
        }
        return FirstRun.condition(List.of(
                new CellSummary(0, SAMPLE.cell(), SAMPLE.model(), SAMPLE.precision(), millis.length, 0, figures)), SPEC)
                .map(Condition::state);
    }

    private static CellFigure figure(Metric metric, List<Double> values) {
        return new CellFigure(metric, 0, null, values, values.size(), 1, true);
    }
}
