package org.inferometer.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.RunCommandLine;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.experiment.SpecWriter;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.Outcomes;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.Phase;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.SamplePlans;
import org.inferometer.record.Verdict;
import org.inferometer.results.SampleRecords;
import org.inferometer.wording.Voice;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.Test;

public class FindingsTest {
    @Test
    void singleRunHasNoBestCell() {
        List<String> findings = Findings.of(record(SampleRecords.experiment(Path.of("x"), 1)));
        assertThat(findings).noneMatch(finding -> finding.contains("highest") || finding.contains("detectabl"));
    }

    @Test
    void bestCellIsNamedWithInterval() {
        assertThat(Findings.of(record(SampleRecords.experiment(Path.of("x"), 3)))).contains(
                "Output throughput: tiny-int4 · continuous:chunk=64 is highest with 609.2 tok/s, 1.04× faster [1.02, 1.06] than "
                        + "tiny-fp8 · continuous:chunk=64.");
    }

    /// The headline names the highest goodput then, and none of their latencies.
    @Test
    void twoCellsAreComparedWhereTheSloAnswers() {
        ExperimentManifest sample = SampleRecords.experiment(Path.of("x"), 3);
        List<ExperimentManifest.CellSummary> pair =
                sample.cells().subList(0, 2).stream().map(cell -> new ExperimentManifest.CellSummary(cell.cellIndex(),
                        cell.cell(), cell.model(), cell.precision(), cell.runs(), withServed(cell.figures()))).toList();
        ExperimentManifest asked = new ExperimentManifest(sample.formatVersion(), sample.id(),
                sample.spec().withGoal(new DeploymentGoal(ServiceObjective.parse("ttft=500ms,share=0.9"), 0)),
                sample.plan(), sample.machine(), sample.times(),
                new ExperimentManifest.ExperimentOutcome(RunStatus.COMPLETE, "", pair, null), false);
        String best = "TTFT P50: continuous:chunk=64 is lowest with ";
        assertThat(Findings.of(record(asked))).anyMatch(finding -> finding.startsWith(best));
        assertThat(Findings.of(record(with(sample, pair, RunStatus.COMPLETE, "", sample.verdict()))))
                .noneMatch(finding -> finding.startsWith(best));
    }

    private static List<CellFigure> withServed(List<CellFigure> figures) {
        List<CellFigure> served = new ArrayList<>(figures);
        served.add(new CellFigure(Metrics.GOODPUT, 4, 0.0, List.of(4.0, 4.0, 4.0), 3000, 1000, true));
        served.add(new CellFigure(Metrics.OBJECTIVE_MET, 1, 0.0, List.of(1.0, 1.0, 1.0), 3000, 1000, true));
        return served;
    }

    /// The sample's runs of each cell grow by 1 % from one to the next.
    @Test
    void driftOverRunsIsAWarning() {
        assertThat(Findings.of(record(SampleRecords.experiment(Path.of("x"), 5))))
                .anyMatch(finding -> finding.startsWith(
                        "Warning: output throughput drifted by +4.8 % from the first run to the last (p = 0.000, 20 runs)"));
        // Three repetitions may have risen by their requests.
        for (int runs : new int[]{1, 3}) {
            assertThat(Findings.of(record(SampleRecords.experiment(Path.of("x"), runs))))
                    .noneMatch(finding -> finding.contains("drifted"));
        }
    }

    @Test
    void warningsOfTheVerdictAreFindings() {
        ExperimentManifest sample = SampleRecords.experiment(Path.of("x"), 1);
        Verdict warned =
                new Verdict(Verdict.Grade.VALID, List.of(new Verdict.Condition(Verdict.Requirement.STEADY_THROUGHPUT,
                        "steady output throughput", Verdict.State.WARNING, "not in a", "Run longer.")));
        assertThat(Findings.of(record(with(sample, sample.cells(), RunStatus.COMPLETE, "", warned))))
                .contains("Warning: steady output throughput: not in a.");
    }

    @Test
    void equalCellsAreNamedTogether() {
        ExperimentManifest sample = SampleRecords.experiment(Path.of("x"), 3);
        List<ExperimentManifest.CellSummary> cells = new ArrayList<>();
        for (ExperimentManifest.CellSummary cell : sample.cells()) {
            List<CellFigure> figures =
                    cell.figures().stream()
                            .map(figure -> figure.metric().id().equals("output_throughput")
                                    ? new CellFigure(figure.metric(), 100 + cell.cellIndex(), 30.0,
                                            List.of(90.0, 100.0, 110.0 + 3 * cell.cellIndex()), 600, 200, true)
                                    : figure)
                            .toList();
            cells.add(new ExperimentManifest.CellSummary(cell.cellIndex(), cell.cell(), cell.model(), cell.precision(),
                    cell.runs(), figures));
        }
        assertThat(Findings.of(record(with(sample, cells, RunStatus.COMPLETE, "", sample.verdict())))).anyMatch(
                finding -> finding.startsWith("Output throughput: ") && finding.endsWith(" do not differ detectably."));
    }

    @Test
    void failuresInvalidityAndSyntheticWeightsAreSaid() {
        ExperimentManifest sample = SampleRecords.experiment(Path.of("x"), 1);
        Verdict invalid = new Verdict(Verdict.Grade.INVALID, List.of(new Verdict.Condition(Verdict.Requirement.OTHER,
                "failed requests within 0", Verdict.State.BROKEN, "5", "Look into it.")));
        assertThat(Findings.of(record(with(sample, sample.cells(), RunStatus.FAILED, "The engine stopped.", invalid))))
                .startsWith(
                        "Failed: The engine stopped. Invalid: \"failed requests within 0\" is not met (5). Look into it.",
                        "24 of 224 requests did not succeed: 24 × Refused, \"politely\", by the ünïcode test (tiny-fp8 · naive 6, tiny-fp8 · continuous:chunk=64 6, tiny-int4 · naive 6, ...). "
                                + "Latencies exclude them.")
                .contains("Synthetic weights: speed and memory are real, answers are not.");
    }

    @Test
    void conditionsOfARunThatTheUserStoppedAreNoFindings() {
        ExperimentManifest sample = SampleRecords.experiment(Path.of("x"), 1);
        ExperimentRecord record = record(sample);
        Verdict broken = new Verdict(Verdict.Grade.INVALID, List.of(new Verdict.Condition(Verdict.Requirement.ANSWERED,
                "at least 1 successful request", Verdict.State.BROKEN, "0 of 0", "Look at it.")));
        List<RunRecord> runs =
                List.of(judged(record, 0, RunStatus.COMPLETE, broken), judged(record, 1, RunStatus.CANCELLED, broken));
        assertThat(Findings.of(new ExperimentRecord(record.folder(), sample, runs, List.of())).getFirst())
                .contains("Invalid: 1 of 1 run does not meet \"at least 1 successful request\" (0 of 0). Look at it.");
    }

    private static RunRecord judged(ExperimentRecord record, int run, RunStatus status, Verdict verdict) {
        RunRecord each = record.runs().get(run);
        return new RunRecord(each.folderName(),
                each.manifest().ended(new RunManifest.RunOutcome(status, "", 0, verdict)), each.observations(),
                List.of());
    }

    @Test
    void cutTracesAreSaid() {
        ExperimentManifest sample = SampleRecords.experiment(Path.of("x"), 1);
        ExperimentRecord record = record(sample);
        RunRecord first = record.runs().getFirst();
        RunObservations observed = first.observations();
        String cut = "100 requests of the trace read, 90 selected; 7 cut to max_prompt or max_output.";
        RunRecord noted = new RunRecord(first.folderName(), first.manifest(),
                new RunObservations(observed.requests(), observed.steps(), observed.telemetry(), observed.setup(),
                        List.of(new RunEvent.Note(0, Phase.MEASURE, cut), new RunEvent.Note(1, Phase.WARM_UP, "other"),
                                new RunEvent.Note(2, Phase.MEASURE, cut))),
                List.of());
        assertThat(Findings.of(new ExperimentRecord(record.folder(), sample, List.of(noted), List.of())))
                .containsOnlyOnce(cut).doesNotContain("other");
    }

    /// 3 of 9 answers began with 4, 6 and 8 tokens; of one it is not known, and a warm-up request does not count.
    @Test
    void aFirstEventWithSeveralTokensIsSaid() {
        List<RequestOutcome> requests = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            int first = i < 3 ? 4 + 2 * i : 1;
            requests.add(Outcomes.inEvents(i, first + 2, new int[]{first, 1, 1}, 100, 110, 120));
        }
        requests.add(Outcomes.inEvents(9, 30, new int[]{RequestOutcome.NOT_KNOWN, 0, 0}, 100, 110, 120));
        requests.add(Outcomes.warmUp(10, 0, 100, 100, 120));
        assertThat(Findings.of(observed(requests))).contains(
                "Warning: the first event held several tokens in 3 of 9 requests (median 6). TTFT includes the time of all of them, TPOT leaves them out.");
        assertThat(Findings.of(observed(requests.subList(3, 11)))).noneMatch(text -> text.contains("first event"));
    }

    private static ExperimentRecord observed(List<RequestOutcome> requests) {
        ExperimentRecord record = record(SampleRecords.experiment(Path.of("x"), 1));
        RunRecord first = record.runs().getFirst();
        RunObservations observed = first.observations();
        return new ExperimentRecord(record.folder(), record.manifest(), List.of(new RunRecord(first.folderName(),
                first.manifest(),
                new RunObservations(requests, observed.steps(), observed.telemetry(), observed.setup(), List.of()),
                List.of())), List.of());
    }

    @Test
    void improvementsNeedEnoughRuns() {
        List<ComparedCell> once = ComparedCell.of(List.of(SampleRecords.experiment(Path.of("x"), 1)));
        assertThat(BaselineComparison.overBaselines(once, List.of()).tables().getFirst().rows().get(1).cells())
                .containsExactly("  Request throughput, req/s", "4.05", "5.27", "1.30× faster", "–", "–");
        List<ComparedCell> thrice = ComparedCell.of(List.of(SampleRecords.experiment(Path.of("x"), 3)));
        assertThat(BaselineComparison.overBaselines(thrice, List.of()).tables().getFirst().rows().get(1).cells())
                .startsWith("  Request throughput, req/s", "4.05", "5.27", "1.30× faster [1.27, 1.33]", "faster");
        assertThat(BaselineComparison.overBaselines(thrice, List.of()).tables().getFirst().title())
                .isEqualTo("Difference from tiny-fp8 · naive, with intervals");
    }

    @Test
    void commandReproducesTheExperiment() {
        assertThat(RunCommandLine.lines(SampleRecords.spec(3)))
                .isEqualTo("./inferometer run --engine tiny-fp8 --engine tiny-int4 --scheduler naive"
                        + " --scheduler continuous:chunk=64 --backend host:threads=2 --workload short --rate 4"
                        + " --prompt-tokens 64 --output-tokens 1..20 --requests 60 --runs 3 --warmup 4 --seed 42"
                        + " --sample-every 100ms");
        WorkloadSpec unnamed = SampleRecords.WORKLOAD.withName("mine");
        ExperimentSpec own = SampleRecords.spec(3).withWorkloads(List.of(unnamed)).named("own");
        assertThat(RunCommandLine.lines(own)).isEqualTo("cat > own.yaml <<'END'\n"
                + SpecWriter.text(own).stripTrailing() + "\nEND\n./inferometer run own.yaml");
    }

    /// Each run of a prompt file asks the same: a server that keeps running has cached what earlier runs asked.
    @Test
    void repeatedPromptsToALivingServerAreSaid() {
        String remedy =
                " A cache makes later requests faster, and the cell that ran first pays. Give each prompt a line of its own: ";
        assertThat(repeated(0, 120, 120))
                .contains("Warning: 240 of 360 requests had a prompt that their server got before." + remedy
                        + "vary_prompts: true in the workload.");
        assertThat(Findings.repeatedPrompts(List.of(cell(List.of(0.0, 120.0, 120.0), 0.9)), Voice.WINDOW))
                .contains("Warning: 240 of 360 requests had a prompt that their server got before. 60.0 % of the prompt"
                        + " tokens came from its cache." + remedy + "“Vary prompts”.");
        assertThat(repeated(0, 9, 9)).isEmpty();
        assertThat(Findings.repeatedPrompts(List.of(cell(List.of(0.0, 120.0, 120.0), 0.04)), Voice.WINDOW)).isEmpty();
        assertThat(Findings.repeatedPrompts(ComparedCell.of(List.of(SampleRecords.experiment(Path.of("x"), 3))),
                Voice.WINDOW)).isEmpty();
    }

    private static Optional<String> repeated(double... runs) {
        return Findings.repeatedPrompts(List.of(cell(Arrays.stream(runs).boxed().toList(), -1)), Voice.COMMAND_LINE);
    }

    /// @param hits prefix hit rate; below 0 for none
    private static ComparedCell cell(List<Double> repeated, double hits) {
        ExperimentManifest sample = SampleRecords.experiment(Path.of("x"), 3);
        CellSummary first = sample.cells().getFirst();
        List<CellFigure> figures = Stream
                .of(new CellFigure(Metrics.REPEATED_PROMPTS, 0, null, repeated, 360, 120, true),
                        new CellFigure(Metrics.PREFIX_HIT_RATE, hits, null, List.of(hits, hits), 360, 120, true))
                .filter(figure -> figure.mean() >= 0).toList();
        return ComparedCell
                .of(List.of(with(sample,
                        List.of(new CellSummary(0, first.cell(), first.model(), first.precision(), 3, 0, figures)))))
                .getFirst();
    }

    static ExperimentManifest with(ExperimentManifest sample, List<ExperimentManifest.CellSummary> cells) {
        return with(sample, cells, RunStatus.COMPLETE, "", null);
    }

    private static ExperimentManifest with(ExperimentManifest sample, List<ExperimentManifest.CellSummary> cells,
            RunStatus status, String failure, Verdict verdict) {
        return new ExperimentManifest(1, sample.id(), sample.spec(), sample.plan(), sample.machine(),
                new ExperimentManifest.ExperimentTimes(sample.times().started(), sample.times().ended(), null),
                new ExperimentManifest.ExperimentOutcome(status, failure, cells, verdict), false);
    }

    public static ExperimentRecord record(ExperimentManifest manifest) {
        List<RunRecord> runs = new ArrayList<>();
        for (RunPlan plan : manifest.plan()) {
            double speed = SamplePlans.engine(plan.cell()).scheduler().name().equals("naive") ? 1 : 1.6;
            runs.add(new RunRecord(SampleRecords.folderName(plan.index().run()),
                    SampleRecords.manifest(plan, RunStatus.COMPLETE),
                    new RunObservations(
                            SampleRecords.requests(60, plan.procedure().workloadSeed() * 31 + plan.index().cell(),
                                    speed),
                            SampleRecords.steps(200), SampleRecords.telemetry(50),
                            new RunObservations.Setup(2, 8, 8, 128), SampleRecords.events()),
                    List.of()));
        }
        return new ExperimentRecord(Path.of("x"), manifest, runs, List.of());
    }
}
