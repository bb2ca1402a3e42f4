package org.inferometer.report.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.experiment.Subject;
import org.inferometer.finding.PairCaution;
import org.inferometer.finding.SideDifference;
import org.inferometer.finding.SideDifference.OfProperty;
import org.inferometer.finding.SideDifference.Property;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.comparison.Comparison.Outcome;
import org.inferometer.measurement.comparison.ExperimentVariation;
import org.inferometer.options.Selection;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.Metric;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.ServerIdentity;
import org.inferometer.record.Verdict;
import org.inferometer.record.WindowAction;
import org.inferometer.record.WindowUse;
import org.inferometer.report.compare.ComparedSide.Server;
import org.inferometer.report.compare.ResultComparison.ComparedFigure;
import org.inferometer.report.compare.ResultComparison.Pair;
import org.inferometer.results.SampleRecords;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.wording.ComparisonWording;
import org.inferometer.wording.Voice;
import org.inferometer.workload.ArrivalProcess;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The sample: cells 1 and 2 of tiny-fp8, 3 and 4 of tiny-int4; 2 and 4 are `continuous`, 30 % faster; each later cell is faster still.
class ResultComparisonTest {
    private static ExperimentRecord sample(int runs) {
        return FindingsTest.record(SampleRecords.experiment(Path.of("x"), runs));
    }

    private static ComparedSide cell(int runs, String part) {
        return ComparedSide.part(sample(runs), part).orElseThrow();
    }

    private static ResultComparison compared(ComparedSide base, ComparedSide... candidates) {
        return ResultComparison.of(List.of(base), List.of(List.of(candidates)), false, KnownVariation.NONE);
    }

    @Test
    void verdictComesFirst() {
        String text = ComparisonReport.of(compared(cell(3, "1"), cell(3, "2")), 300);
        assertThat(text).startsWith(
                "continuous:chunk=64 gives 1.30× the output throughput [1.27, 1.33] and gives the first token "
                        + "1.30× faster [1.27, 1.33]. Memory: no detectable difference.\n\n"
                        + "Verdict\n  continuous:chunk=64 against naive: better in Request throughput (1.30× faster), "
                        + "Output throughput (1.30× faster), TTFT P50 (1.30× faster), TTFT P95 (1.30× faster) and 4 more;");
        assertThat(text).contains("\ncontinuous:chunk=64 against naive\n", "Same model, workload, seeds and device.",
                "Base: 2026-11-21_141503_quick#1 (tiny-fp8 · naive · short). Candidate: 2026-11-21_141503_quick#2 "
                        + "(tiny-fp8 · continuous:chunk=64 · short).");
        assertThat(text.lines()).allMatch(line -> line.length() <= 300);
    }

    @Test
    void unknownModelAndDeviceAreNamedBySide() {
        ComparedSide ours = cell(3, "1");
        ComparedSide theirs = new ComparedSide("theirs#1", "theirs#1", ours.cell(), null, ours.figures(),
                ours.workloads(), MachineDescription.NOT_KNOWN, List.of(), ComparedSide.Origin.NOT_KNOWN, List.of());
        String device = ours.machine().processor() + ", " + ours.machine().logicalCores() + " cores";
        assertThat(SideDifferences.of(ours, theirs)).containsExactly(new OfProperty(Property.MODEL, ours.model(), null),
                new OfProperty(Property.DEVICE, device, null));
        assertThat(contrast(compared(ours, theirs))).contains(". Not known: model, device. Same: ");
        assertThat(compared(ours, theirs).headline().toString())
                .isEqualTo("Not ranked: model is not known of the candidate, device is not known of the candidate.");
        assertThat(SideDifferences.of(theirs, ours)).contains(new OfProperty(Property.DEVICE, null, device));
        assertThat(SideDifferences.of(theirs, theirs)).contains(new OfProperty(Property.DEVICE, null, null));
    }

    private static String contrast(ResultComparison comparison) {
        return ComparisonWording.sentence(comparison.pairs().getFirst().contrast());
    }

    @Test
    void noCommonMetricHasNoTable() {
        ComparedSide ours = cell(3, "1");
        ComparedSide bare = new ComparedSide("bare#1", "bare#1", ours.cell(), ours.model(), List.of(), ours.workloads(),
                ours.machine(), List.of(), ComparedSide.Origin.NOT_KNOWN, List.of());
        assertThat(ComparisonReport
                .of(ResultComparison.of(List.of(ours), List.of(List.of(bare)), false, KnownVariation.NONE), 200))
                .isEqualTo("Nothing to compare: no metric is on both sides.\n\nVerdict\n  bare#1 against quick"
                        + ": nothing to compare, no metric is on both sides.\n");
    }

    @Test
    void cellsAreFoundByNumberOrLabelAndRunsByFolder() {
        assertThat(ComparedSide.part(sample(3), "tiny-int4 · naive · short").orElseThrow().name()).contains("#3 (");
        ComparedSide run = cell(3, "run-004");
        assertThat(run.figure(Metrics.E2E.p50()).orElseThrow().runs()).isEqualTo(1);
        assertThat(ComparedSide.part(sample(3), "5")).isEmpty();
        assertThat(ComparedSide.part(sample(3), "run-099")).isEmpty();
    }

    @Test
    void singleRunsAreTooFew() {
        Pair pair = compared(cell(3, "run-000"), cell(3, "run-001")).pairs().getFirst();
        assertThat(pair.figures()).isNotEmpty().allMatch(figure -> figure.outcome() == Outcome.TOO_FEW_RUNS);
        assertThat(ComparisonReport.verdicts(List.of(pair)))
                .containsExactly("continuous:chunk=64 against naive: too few runs, each side needs 2 or more.");
        ResultComparison several = compared(cell(3, "run-000"), cell(3, "run-001"), cell(3, "run-002"));
        assertThat(ComparisonReport.verdicts(several.pairs()))
                .containsExactly("2 of 2 pairs: too few runs, each side needs 2 or more.");
        assertThat(ComparisonReport.of(several, 200)).containsOnlyOnce("too few runs");
    }

    @Test
    void severalCandidatesAreHolmCorrected() {
        ResultComparison comparison = compared(cell(3, "1"), cell(3, "2"), cell(3, "3"), cell(3, "4"));
        assertThat(comparison.pairs()).hasSize(3)
                .allSatisfy(pair -> assertThat(pair.figures()).allMatch(figure -> figure.family() == 3));
        assertThat(ComparisonReport.of(comparison, 120)).contains("Holm-corrected for 3 pairs");
    }

    @Test
    void baseOfSeveralCellsIsPairedByLabel() {
        ExperimentRecord other = renamed(sample(3), "later");
        ResultComparison comparison = ResultComparison.of(ComparedSide.cells(sample(3)),
                List.of(ComparedSide.cells(other)), false, KnownVariation.NONE);
        assertThat(comparison.pairs()).extracting(pair -> pair.base().replaceAll(".*#", "")).containsExactlyElementsOf(
                comparison.pairs().stream().map(pair -> pair.candidate().replaceAll(".*#", "")).toList());
        assertThat(comparison.pairs()).hasSize(4);
        assertThat(comparison.unpaired()).isEmpty();
    }

    @Test
    void serviceLatencyReplacesMissingLatency() {
        ComparedSide one = cell(3, "1");
        List<CellFigure> imported = List.of(
                SampleRecords.figure("service_e2e_p95", "Service E2E latency P95", Metric.Unit.NANOSECONDS,
                        Metric.Better.LOWER, 240e6, 3, 60),
                SampleRecords.figure("output_throughput", "Output throughput", Metric.Unit.PER_SECOND_TOKENS,
                        Metric.Better.HIGHER, 451, 3, 600));
        ComparedSide from = new ComparedSide("a", "a", one.cell(), "tiny", imported, Map.of(), one.machine(), List.of(),
                ComparedSide.Origin.NOT_KNOWN, List.of());
        ComparedSide other = new ComparedSide("b", "b", one.cell(), "tiny", imported, Map.of(), one.machine(),
                List.of(), ComparedSide.Origin.NOT_KNOWN, List.of());
        assertThat(compared(from, other).pairs().getFirst().figures())
                .extracting(ResultComparison.ComparedFigure::metric)
                .containsExactly("output_throughput", "service_e2e_p95");
    }

    @Test
    void resultIsNotComparedWithItself() {
        assertThat(compared(cell(3, "1"), cell(3, "1")).pairs()).isEmpty();
        assertThat(ComparisonReport.of(compared(cell(3, "1"), cell(3, "1")), 100)).contains("Nothing to compare");
    }

    @Test
    void otherSeedsAreNotRankedUnlessAsked() {
        ComparedSide one = cell(3, "1");
        ComparedSide twoRuns = cell(2, "2");
        Pair pair = compared(one, twoRuns).pairs().getFirst();
        assertThat(pair.differences()).containsExactly(new SideDifference.UnsharedSeeds(2, 3));
        assertThat(pair.ranked()).isFalse();
        assertThat(pair.figures()).allMatch(figure -> figure.outcomeText().equals("not ranked"));
        assertThat(ComparisonReport.tables(compared(one, twoRuns)).getFirst().rows())
                .allMatch(row -> row.cells().get(4).equals("–"));
        assertThat(ComparisonReport.verdicts(List.of(pair))).containsExactly(
                "continuous:chunk=64 against naive: not ranked.", "Requests differ: 2 of 3 seeds shared.",
                "Use --anyway to rank.");
        Pair anyway = ResultComparison.of(List.of(one), List.of(List.of(twoRuns)), true, KnownVariation.NONE).pairs()
                .getFirst();
        assertThat(ComparisonReport.verdicts(List.of(anyway))).hasSize(2).first(STRING).contains("better in");
        assertThat(ComparisonReport.verdicts(List.of(anyway)).getLast())
                .isEqualTo("Ranked in spite of: Requests differ: 2 of 3 seeds shared.");
    }

    @Test
    void differencesAreListed() {
        ComparedSide one = cell(3, "1");
        ComparedSide other =
                new ComparedSide("other", "other", one.cell(), "large", one.figures(),
                        Map.of(42L, "abc", 43L, "abc", 44L, "abc"), new MachineDescription("Linux", "amd64",
                                "Other CPU", 1, 2, 1, "Java", 128, List.of("GPU X"), "1"),
                        List.of(), ComparedSide.Origin.NOT_KNOWN, List.of());
        assertThat(SideDifferences.of(one, other)).containsExactly(new OfProperty(Property.MODEL, "tiny", "large"),
                new SideDifference.OtherDraws("short", "short"),
                new OfProperty(Property.DEVICE, "Example CPU, 8 cores, 8 cores", "Other CPU, 2 cores, GPU X"));
        ComparedSide unknown = new ComparedSide("unknown", "unknown", one.cell(), "tiny", one.figures(), Map.of(),
                one.machine(), List.of(), ComparedSide.Origin.NOT_KNOWN, List.of());
        assertThat(SideDifferences.of(one, unknown)).containsExactly(new SideDifference.UnknownRequests(false, true));
        assertThat(SideDifferences.of(unknown, one)).containsExactly(new SideDifference.UnknownRequests(true, false));
        assertThat(SideDifferences.of(unknown, unknown))
                .containsExactly(new SideDifference.UnknownRequests(true, true));
    }

    private static ComparedSide measured(ComparedSide side, String experiment, String started, Server server) {
        return new ComparedSide(experiment + "#1", side.label(), side.cell(), side.model(), side.figures(),
                side.workloads(), side.machine(), side.grades(),
                new ComparedSide.Origin(experiment, new ComparedSide.Part.CellPart(1), Instant.parse(started), server,
                        ServiceObjective.NONE, "", null, 0, "", null),
                List.of());
    }

    @Test
    void twoExperimentsSayTheirDistanceAndWhatIsMissing() {
        ComparedSide before = measured(cell(3, "1"), "before", "2026-11-20T10:00:00Z", new Server.None());
        ComparedSide after = measured(cell(3, "2"), "after", "2026-11-22T13:30:00Z", new Server.None());
        Pair pair = compared(before, after).pairs().getFirst();
        List<String> metrics = pair.figures().stream().map(ComparedFigure::label).toList();
        assertThat(pair.cautions())
                .containsExactly(PairCaution.TwoExperiments.of(Duration.ofHours(51).plusMinutes(30), metrics, false));
        assertThat(ComparisonReport.verdicts(List.of(pair)).getLast()).contains("2 d 3 h apart");
        assertThat(compared(cell(3, "1"), cell(3, "2")).pairs().getFirst().cautions()).isEmpty();
    }

    @Test
    void learnedVariationWidensTheIntervalsOfThisMachine() {
        ComparedSide before = measured(cell(3, "1"), "before", "2026-11-20T10:00:00Z", new Server.None());
        ComparedSide after = measured(cell(3, "2"), "after", "2026-11-20T11:30:00Z", new Server.None());
        KnownVariation variation = KnownVariation.of(before.machine(),
                new ExperimentVariation(Map.of("output_throughput", 0.05, "request_throughput", 0.05), 5));
        Pair pair = ResultComparison.of(List.of(before), List.of(List.of(after)), false, variation).pairs().getFirst();
        List<String> uncovered = pair.figures().stream().map(ComparedFigure::label)
                .filter(label -> !List.of("Output throughput", "Request throughput").contains(label)).toList();
        assertThat(pair.cautions())
                .containsExactly(PairCaution.TwoExperiments.of(Duration.ofMinutes(90), uncovered, true));
        ResultComparison.ComparedFigure plain = figure(compared(before, after).pairs().getFirst());
        assertThat(figure(pair).improvementLow()).isLessThan(plain.improvementLow() - 0.1);
        MachineDescription other =
                new MachineDescription("Linux", "amd64", "Other CPU", 1, 2, 1, "Java", 128, List.of(), "1");
        KnownVariation elsewhere = KnownVariation.of(other, new ExperimentVariation(Map.of(), 5));
        assertThat(elsewhere.between(before, after)).isEmpty();
        assertThat(variation.between(before, before)).isEmpty();
    }

    private static ResultComparison.ComparedFigure figure(Pair pair) {
        return pair.figures().stream().filter(each -> each.metric().equals("output_throughput")).findFirst()
                .orElseThrow();
    }

    @Test
    void headlineOfUnrankedPairsSaysWhy() {
        ComparedSide one = cell(3, "1");
        assertThat(compared(one, cell(2, "2")).headline().toString()).isEqualTo("Not ranked: requests differ.");
        ComparedSide other = new ComparedSide("other#1", "other", one.cell(), "large", one.figures(), one.workloads(),
                one.machine(), List.of(Verdict.Grade.INVALID), ComparedSide.Origin.NOT_KNOWN, List.of());
        assertThat(compared(one, other).headline().toString())
                .isEqualTo("Not ranked: model differs, a run is INVALID.");
        assertThat(ResultComparison.of(List.of(one), List.of(List.of(other)), true, KnownVariation.NONE).headline()
                .toString()).isEqualTo("Not ranked: a run is INVALID.");
        assertThat(compared(one, other, cell(2, "2")).headline().toString())
                .isEqualTo("Not ranked: model differs, requests differ, a run is INVALID.");
        assertThat(compared(one, other, cell(3, "2")).headline().toString())
                .isEqualTo("Speed: better in 1 of 1 pair. First token: "
                        + "better in 1 of 1 pair. Memory: no detectable difference. 1 of 2 pairs not ranked.");
    }

    @Test
    void contrastNamesWhatDiffersAndWhatDoesNot() {
        assertThat(contrast(compared(cell(3, "1"), cell(3, "3")))).isEqualTo(
                "Differs: precision FP8 → INT4. Same: model, workload, seeds, device, scheduler, backend, limits, definitions.");
        assertThat(contrast(compared(cell(3, "1"), cell(2, "2")))).isEqualTo(
                "Differs: scheduler naive → continuous; scheduler chunk default → 64; drawn requests. Same: model, device, "
                        + "backend, limits, definitions.");
    }

    @Test
    void sidesAreNamedByWhatDistinguishesThem() {
        assertThat(SideNames.title(compared(cell(3, "1"), cell(3, "4")).pairs()))
                .isEqualTo("INT4 · continuous:chunk=64 against FP8 · naive");
        assertThat(SideNames.title(compared(cell(3, "1"), cell(3, "2"), cell(3, "3")).pairs()))
                .isEqualTo("2 candidates against FP8 · naive");
        ComparedSide one = cell(3, "1");
        assertThat(SideNames
                .title(compared(one, measured(one, "later", "2026-11-20T10:00:00Z", new Server.None())).pairs()))
                .isEqualTo("later against quick");
        assertThat(SideNames.title(compared(cell(3, "run-000"), cell(3, "run-004")).pairs()))
                .isEqualTo("run 5 against run 1");
        SideNames names = SideNames.ofPairs(compared(cell(3, "1"), cell(3, "4")).pairs());
        assertThat(names.named(cell(3, "4").name())).isEqualTo("INT4 · continuous:chunk=64");
        assertThat(names.named("2026-11-21_141503_quick")).isEqualTo("quick");
        assertThat(names.named("another")).isEqualTo("another");
    }

    @Test
    void sidesAreNamedByTheirLoadInWords() {
        ComparedSide slow = loaded("poisson:rate=4");
        Pair pair = compared(slow, loaded("poisson:rate=16")).pairs().getFirst();
        assertThat(SideNames.title(List.of(pair))).isEqualTo("16 req/s against 4 req/s");
        assertThat(ComparisonWording.sentence(pair.contrast()))
                .startsWith("Differs: arrivals Poisson, 4 req/s → Poisson, 16 req/s; drawn requests.");
        assertThat(SideNames.title(compared(slow, loaded("gamma:rate=4,burstiness=0.5")).pairs()))
                .isEqualTo("load (60 requests, Gamma, 4 req/s, burstiness 0.5) against load (60 requests, 4 req/s)");
    }

    private static ComparedSide loaded(String arrivals) {
        ComparedSide one = cell(3, "1");
        Cell cell = new Cell(one.cell().subject(),
                one.cell().workload().withName("load").withArrivals(ArrivalProcess.parse(arrivals)));
        return new ComparedSide("x#" + arrivals, one.label(), cell, one.model(), one.figures(), Map.of(1L, arrivals),
                one.machine(), one.grades(), one.origin(), List.of());
    }

    @Test
    void experimentsOfOneNameAreToldApartByTheirDate() {
        ComparedSide one = cell(3, "1");
        assertThat(SideNames
                .title(compared(measured(one, "2026-11-20_091500_quick", "2026-11-20T10:00:00Z", new Server.None()),
                        measured(one, "2026-11-22_133059_quick", "2026-11-22T13:30:00Z", new Server.None())).pairs()))
                .isEqualTo("quick 2026-11-22 13:30 against quick 2026-11-20 09:15");
        assertThat(SideNames
                .title(compared(measured(one, "2026-11-20_091500_quick", "2026-11-20T10:00:00Z", new Server.None()),
                        measured(one, "2026-11-20_091507_quick", "2026-11-22T13:30:00Z", new Server.None())).pairs()))
                .isEqualTo("quick 2026-11-20 09:15:07 against quick 2026-11-20 09:15:00");
    }

    @Test
    void warningsAreSaidOnceAndNameTheirPairs() {
        ComparedSide base = measured(cell(3, "1"), "before", "2026-11-20T10:00:00Z", new Server.None());
        ComparedSide invalid = new ComparedSide("late#4", "d", cell(3, "4").cell(), base.model(), base.figures(),
                base.workloads(), base.machine(), List.of(Verdict.Grade.INVALID), base.origin(), List.of());
        List<Pair> pairs = compared(base, measured(cell(3, "2"), "soon", "2026-11-20T10:03:00Z", new Server.None()),
                measured(cell(3, "3"), "late", "2026-11-22T13:30:00Z", new Server.None()), invalid).pairs();
        assertThat(PairWarnings.invalid(pairs)).containsExactly(
                "Shown, not ranked, with an INVALID run: INT4 · continuous:chunk=64. For a verdict: measure again.");
        assertThat(PairWarnings.twoExperiments(pairs, Voice.COMMAND_LINE)).containsExactly(
                "Two experiments, 3 min to 2 d 3 h apart: the intervals do not contain the variation between experiments. "
                        + "Measure both sides in one (run --against), or learn the variation (selfcheck --aa). "
                        + "(FP8 · continuous:chunk=64, INT4 · naive)");
        assertThat(PairWarnings.differences(compared(cell(3, "1"), cell(2, "2"), cell(2, "3")).pairs()))
                .containsExactly("Requests differ: 2 of 3 seeds shared.");
        assertThat(PairWarnings.differences(compared(cell(3, "1"), cell(2, "2"), cell(3, "3")).pairs()))
                .containsExactly("Requests differ: 2 of 3 seeds shared. (FP8 · continuous:chunk=64)");
    }

    @Test
    void invalidRunsAreNeverRanked() {
        ComparedSide one = cell(3, "1");
        ComparedSide invalid = new ComparedSide(one.name() + "b", one.label(), one.cell(), one.model(), one.figures(),
                one.workloads(), one.machine(), List.of(Verdict.Grade.INVALID), one.origin(), List.of());
        Pair pair = ResultComparison.of(List.of(one), List.of(List.of(invalid)), true, KnownVariation.NONE).pairs()
                .getFirst();
        assertThat(pair.ranked()).isFalse();
        assertThat(ComparisonReport.verdicts(List.of(pair))).hasSize(2).first(STRING).endsWith(": not ranked.");
        assertThat(ComparisonReport.verdicts(List.of(pair)).getLast())
                .startsWith("Shown, not ranked, with an INVALID run: ");
    }

    @Test
    void anInvalidResultIsSaidOnceForAllItsCells() {
        ExperimentRecord valid = renamed(sample(3), "later");
        List<ComparedSide> invalid = ComparedSide.cells(judged(sample(3), Verdict.Grade.INVALID));
        List<Pair> pairs =
                ResultComparison.of(invalid, List.of(ComparedSide.cells(valid)), false, KnownVariation.NONE).pairs();
        assertThat(ComparisonReport.verdicts(pairs)).hasSize(3).startsWith("4 of 4 pairs: not ranked.",
                "Shown, not ranked, with an INVALID run: 4 of 8 cells. For a verdict: lower the rate.");
        assertThat(ComparisonReport
                .of(ResultComparison.of(invalid, List.of(ComparedSide.cells(valid)), false, KnownVariation.NONE), 200))
                .contains("Output throughput, tok/s").doesNotContain("--anyway");
    }

    /// The same with this verdict of every run.
    private static ExperimentRecord judged(ExperimentRecord record, Verdict.Grade grade) {
        Verdict verdict = new Verdict(grade, List.of(new Verdict.Condition(Verdict.Requirement.SERVED_AS_ASKED,
                "served as fast as asked", Verdict.State.BROKEN, "offered 8.0/s, served 4.0/s", "Lower the rate.")));
        return new ExperimentRecord(record.folder(), record.manifest(),
                record.runs().stream()
                        .map(run -> new RunRecord(run.folderName(),
                                run.manifest().ended(new RunManifest.RunOutcome(RunStatus.COMPLETE, "", 0, verdict)),
                                run.observations(), List.of()))
                        .toList(),
                List.of());
    }

    @Test
    void resultThatIsInvalidAsAWholeIsNamed() {
        ComparedSide one = cell(3, "1");
        ComparedSide part = new ComparedSide("b#1", one.label(), one.cell(), one.model(), one.figures(),
                one.workloads(), one.machine(), List.of(Verdict.Grade.VALID),
                new ComparedSide.Origin("b", new ComparedSide.Part.CellPart(1), one.origin().started(),
                        new ComparedSide.Server.None(), one.origin().objective(), "every run is valid", "live", 0, "",
                        null),
                List.of());
        Pair pair =
                ResultComparison.of(List.of(one), List.of(List.of(part)), true, KnownVariation.NONE).pairs().getFirst();
        assertThat(pair.cautions()).contains(new PairCaution.InvalidResult("b", "every run is valid", "b#1"));
    }

    @Test
    void otherWorkOfTheWindowIsPartOfItsUse() {
        ExperimentManifest manifest =
                Experiments.manifest("id", Experiments.QUICK, RunStatus.COMPLETE, null, Instant.EPOCH);
        RunRecord run = Experiments.runRecord(manifest.plan().getFirst(), manifest);
        List<RunRecord> runs = Stream.of(300_000_000L, 2_000_000_000L)
                .map(nanos -> new RunRecord(run.folderName(),
                        run.manifest()
                                .shownBy(new WindowUse("live", null, List.of(new WindowAction("report", 0, nanos)))),
                        run.observations(), run.notes()))
                .toList();
        assertThat(ComparedSide.window(runs.subList(0, 1))).isEqualTo("live");
        assertThat(ComparedSide.window(runs)).isEqualTo("live with other work");
    }

    @Test
    void differentWindowsAreNamed() {
        ComparedSide one = cell(3, "1");
        assertThat(notes(shown(one, "none"), shown(one, "live")))
                .contains("Window of the desktop while measuring: base none, candidate live.");
        assertThat(notes(shown(one, null), shown(one, "live"))).noneMatch(note -> note.startsWith("Window"));
    }

    private static List<String> notes(ComparedSide base, ComparedSide candidate) {
        return compared(base, candidate).pairs().getFirst().notes().stream().map(Object::toString).toList();
    }

    private static ComparedSide shown(ComparedSide side, @Nullable String window) {
        return new ComparedSide("x#" + window, side.label(), side.cell(), side.model(), side.figures(),
                side.workloads(), side.machine(), side.grades(),
                new ComparedSide.Origin("x", new ComparedSide.Part.CellPart(1), null, new ComparedSide.Server.None(),
                        side.origin().objective(), "", window, 0, "", null),
                List.of());
    }

    @Test
    void serversAreNamedOrNotKnown() {
        Server vllm = new Server.Known(new ServerIdentity("tiny", "", "vllm", "0.6.3").text());
        ComparedSide known = measured(cell(3, "1"), "a", "2026-11-20T10:00:00Z", vllm);
        ComparedSide silent = measured(cell(3, "1"), "c", "2026-11-20T10:00:00Z", new Server.NotRecorded());
        assertThat(notes(known, measured(cell(3, "1"), "b", "2026-11-20T10:00:00Z", vllm)))
                .contains("Server: vllm 0.6.3 on both sides.");
        assertThat(notes(known, silent)).contains("Server: vllm 0.6.3 (base), not known (candidate).",
                "Runs that find a difference in 4 of 5 experiments (Request throughput): 10 %: 3, 5 %: 3, 2 %: 6.");
        assertThat(notes(silent, measured(cell(3, "1"), "d", "2026-11-20T10:00:00Z", new Server.NotRecorded())))
                .contains("Server: not known (base), not known (candidate).");
    }

    /// A server says what it is, whoever started it.
    @Test
    void versionsOfStartedServersAreCompared() {
        Pair pair = compared(started("0.6.3"), started("0.7.0")).pairs().getFirst();
        assertThat(pair.notes()).map(Object::toString).contains("Server: vllm 0.6.3 (base), vllm 0.7.0 (candidate).");
        assertThat(pair.baseSide().model()).isEqualTo("tiny");
    }

    private static ComparedSide started(String version) {
        ExperimentRecord sample = renamed(sample(3), version);
        var first = sample.manifest().cells().getFirst();
        Cell cell = new Cell(new Subject.TargetSubject(Selection.parse("vllm:model=tiny")), first.cell().workload());
        List<RunRecord> runs = sample.runs().stream()
                .map(run -> new RunRecord(run.folderName(),
                        run.manifest().servedBy(new ServerIdentity("tiny", "", "vllm", version)), run.observations(),
                        run.notes()))
                .toList();
        var outcome = new ExperimentManifest.ExperimentOutcome(sample.manifest().status(), "",
                List.of(new ExperimentManifest.CellSummary(0, cell, "tiny", "", 3, first.figures())), null);
        return ComparedSide
                .cells(new ExperimentRecord(sample.folder(),
                        sample.manifest().withOutcome(outcome, sample.manifest().times().ended()), runs, List.of()))
                .getFirst();
    }

    /// A server of which only the address is known: its model is not the address.
    @Test
    void modelOfAServerThatWasNotRecordedIsNotKnown() {
        ExperimentRecord sample = sample(3);
        var cells = sample.manifest().cells();
        Cell cell = new Cell(new Subject.TargetSubject(Selection.parse("http:url=http://127.0.0.1:8000")),
                cells.getFirst().cell().workload());
        var outcome = new ExperimentManifest.ExperimentOutcome(sample.manifest().status(), "",
                List.of(new ExperimentManifest.CellSummary(0, cell, "http://127.0.0.1:8000", "", 3,
                        cells.getFirst().figures())),
                null);
        ComparedSide side = ComparedSide.cells(new ExperimentRecord(sample.folder(),
                sample.manifest().withOutcome(outcome, sample.manifest().times().ended()), sample.runs(), List.of()))
                .getFirst();
        assertThat(side.model()).isNull();
        assertThat(side.origin().server()).isEqualTo(new Server.NotRecorded());
        assertThat(SideDifferences.of(side, side)).contains(new OfProperty(Property.MODEL, null, null));
    }

    static ExperimentRecord renamed(ExperimentRecord record, String id) {
        var m = record.manifest();
        return new ExperimentRecord(record.folder(),
                new ExperimentManifest(m.formatVersion(), id, m.spec(), m.plan(), m.machine(),
                        new ExperimentManifest.ExperimentTimes(m.times().started(), m.times().ended(), null),
                        new ExperimentManifest.ExperimentOutcome(m.status(), m.failure(), m.cells(), m.verdict()),
                        m.anonymized()),
                record.runs(), record.notes());
    }
}
