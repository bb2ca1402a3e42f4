package org.inferometer.ui.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.measurement.comparison.Comparison;
import org.inferometer.measurement.comparison.MarginCheck.Outcome;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.compare.ResultComparison.Pair;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.twin.DesignedSpecs;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.LibraryTwin;
import org.inferometer.ui.twin.VirtualRuns;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonViewModelTest {
    private static final Instant DAY = Instant.parse("2026-11-20T09:15:00Z");
    private final LibraryTwin own;
    private final ComparisonViewModel model;
    private final ResultRow before;
    private final ResultRow after;

    ComparisonViewModelTest(@TempDir Path folder) {
        own = new LibraryTwin(folder.resolve("results"));
        model = new ComparisonViewModel(own.tools(), new InlineUi().work(), each -> each.startsWith(own.folder()));
        before = add("before", DesignedSpecs.repeated("engines", 3));
        after = add("after", DesignedSpecs.repeated("engines", 3));
    }

    private ResultRow add(String id, ExperimentSpec spec) {
        return add(own.folder().resolve(id), id, spec);
    }

    private ResultRow add(Path folder, String id, ExperimentSpec spec) {
        ExperimentManifest manifest = Experiments.manifest(id, spec, RunStatus.COMPLETE, Verdict.Grade.VALID, DAY);
        own.add(Experiments.record(folder, manifest, List.of()));
        return new ResultRow(ResultRow.Origin.OWN, folder, Optional.of(manifest), "");
    }

    private List<Pair> pairs() {
        return model.reading().get().comparison().pairs();
    }

    private void chooseBaseCell(int place) {
        model.base().part().set(model.base().parts().get(place));
    }

    @Test
    void equalCellsAreComparedAndTheVerdictComesFirst() {
        model.open(before, after);
        assertThat(pairs()).extracting(Pair::candidate).containsExactly("after#1 (tiny-fp8 · naive · short)",
                "after#2 (tiny-fp8 · continuous · short)", "after#3 (tiny-int4 · naive · short)",
                "after#4 (tiny-int4 · continuous · short)");
        assertThat(PairText.verdict(pairs().getFirst())).singleElement().satisfies(line -> {
            assertThat(line.tone()).isEqualTo(PairText.Tone.ALIKE);
            assertThat(line.text()).matches(
                    "No detectable difference: Output throughput \\(smallest detectable [0-9.]+ %\\), TTFT P50 .*, ITL P50 .*");
        });
        assertThat(PairText.notes(pairs().getFirst())).contains("Paired by seed (3 pairs).").hasSize(5).last()
                .isEqualTo("Same model, workload, seeds, device and definitions.");
        assertThat(model.reading().get().gate())
                .hasValueSatisfying(gate -> assertThat(gate.outcome()).isEqualTo(Outcome.PASS));
    }

    @Test
    void warningOfAllPairsIsSaidOnce() {
        model.open(before, after);
        assertThat(PairText.warnings(pairs())).singleElement().satisfies(
                line -> assertThat(line.text()).startsWith("Two experiments, 0 s apart: the intervals do not contain"));
    }

    @Test
    void chartsComeWithTheComparison() {
        own.add(Experiments.paired(own.folder().resolve("paired"), "paired"));
        ResultRow paired = new ResultRow(ResultRow.Origin.OWN, own.folder().resolve("paired"), Optional.empty(), "");
        model.open(paired, paired);
        chooseBaseCell(1);
        assertThat(model.reading().get().charts()).extracting(ChartData::id).containsExactly("ratios", "ttft-ecdf",
                "itl-ecdf", "e2e-ecdf", "runs");
        assertThat(model.title().get()).isEqualTo("continuous against naive");
        model.base().result().set(null);
        assertThat(model.title().get()).isEqualTo("Comparison");
    }

    @Test
    void eightResultsAreComparedAndNamedInTheCommand() {
        List<ResultRow> further =
                IntStream.range(0, 7).mapToObj(i -> add("further-" + i, DesignedSpecs.repeated("engines", 3))).toList();
        model.open(before, after, further);
        assertThat(model.more()).isEqualTo(further.subList(0, 6));
        assertThat(pairs()).hasSize(7 * 4);
        chooseBaseCell(2);
        model.more().setAll(after, further.getFirst());
        assertThat(pairs()).extracting(Pair::base).containsOnly("before#2 (tiny-fp8 · continuous · short)");
        assertThat(pairs()).extracting(pair -> pair.candidate().replaceAll("#.*", "")).containsExactly("after", "after",
                "after", "after", "further-0", "further-0", "further-0", "further-0");
        assertThat(model.compareCommand()).hasValue("inferometer compare before#2 after further-0");
        model.more().clear();
        assertThat(pairs()).hasSize(4);
    }

    @Test
    void oneCellOfAResultIsTheBaseOfItsOthers() {
        model.open(before, before);
        assertThat(pairs()).isEmpty();
        assertThat(model.reading().get().unjudged()).startsWith("Nothing to check");
        chooseBaseCell(1);
        assertThat(pairs()).extracting(Pair::candidate).doesNotContain("before#1 (tiny-fp8 · naive · short)")
                .hasSize(3);
        assertThat(PairText.verdict(pairs().getFirst())).extracting(PairText.VerdictLine::text)
                .containsExactly("Better: Output throughput 3.1× faster, TTFT P50 3.1× faster, ITL P50 3.1× faster");
        assertThat(PairText.table(pairs().getFirst()).rows().getFirst().cells())
                .startsWith("Output throughput, tok/s", "212.0 ± 4.5", "655.0 ± 13.8", "3.1× faster")
                .contains("faster");
        assertThat(model.command()).hasValue("./inferometer compare before#1 before\n"
                + "./inferometer gate before#1 before --margin output_throughput=5% --margin ttft_p50=10% --margin e2e_p95=10%");
    }

    @Test
    void commandNamesThePathOfAResultFromElsewhereQuotedForTheShell() {
        Path elsewhere = own.folder().resolveSibling("Ada's disk").resolve("after");
        model.open(before, add(elsewhere, "copied", DesignedSpecs.repeated("engines", 3)));
        model.candidate().part().set(model.candidate().parts().get(1));
        assertThat(model.command().orElseThrow()).startsWith("./inferometer compare before '" + own.folder().getParent()
                + "/Ada'\\''s disk/after'#1\n./inferometer gate before '/");
    }

    @Test
    void swappingTurnsBetterIntoWorseAndTheGateCloses() {
        model.open(before, before);
        chooseBaseCell(1);
        model.candidate().part().set(model.candidate().parts().get(2));
        assertThat(model.reading().get().gate().orElseThrow().outcome()).isEqualTo(Outcome.PASS);
        model.swap();
        assertThat(PairText.verdict(pairs().getFirst())).extracting(PairText.VerdictLine::tone)
                .containsExactly(PairText.Tone.WORSE);
        assertThat(model.reading().get().gate().orElseThrow().outcome()).isEqualTo(Outcome.REGRESSION);
        model.typeMargins("output_throughput=90%, ttft_p50=400s");
        assertThat(model.reading().get().gate().orElseThrow().outcome()).isEqualTo(Outcome.PASS);
    }

    @Test
    void marginsWithAFaultLeaveTheLastOnes() {
        model.open(before, after);
        model.typeMargins("output_throughput=5%, ttft=fast");
        assertThat(model.marginsFault().get())
                .isEqualTo("\"ttft=fast\" is not a margin. Use METRIC=3% or METRIC=20ms.");
        assertThat(model.margins().get()).hasSize(3);
        model.typeMargins("ttft_p50=20ms");
        assertThat(model.marginsFault().get()).isEmpty();
        assertThat(model.reading().get().gate().orElseThrow().checks()).hasSize(4);
    }

    @Test
    void nobodyIsNamedBetterWhereSeedsDifferUnlessAsked() {
        ExperimentSpec quick = Experiments.QUICK;
        ResultRow reseeded = add("reseeded",
                new ExperimentSpec("engines", quick.engines(), quick.schedulers(), quick.workloads(),
                        quick.backends().getFirst(), 3, quick.warmUpRequests(), 77, quick.sampleEveryMillis(), 0,
                        quick.limits()));
        model.open(before, reseeded);
        assertThat(pairs()).noneMatch(Pair::ranked);
        assertThat(model.reading().get().unjudged()).isEqualTo("Not checked: not comparable.");
        assertThat(PairText.warnings(pairs())).extracting(PairText.VerdictLine::text).hasSize(2)
                .contains("Requests differ: 0 of 3 seeds shared.");
        model.anyway().set(true);
        assertThat(pairs()).allMatch(Pair::ranked);
        assertThat(PairText.verdict(pairs().getFirst())).extracting(PairText.VerdictLine::tone)
                .containsExactly(PairText.Tone.ALIKE);
        assertThat(PairText.warnings(pairs())).extracting(PairText.VerdictLine::text).hasSize(3)
                .endsWith("Ranked although not comparable.");
        assertThat(model.reading().get().gate()).isPresent();
    }

    @Test
    void withoutABaseNothingIsAskedAndWhatCannotBeReadIsSaid() {
        model.open(null, after);
        assertThat(model.reading().get()).isNull();
        assertThat(model.command()).isEmpty();
        model.base().result().set(new ResultRow(ResultRow.Origin.OWN, Path.of("gone"), Optional.empty(), ""));
        assertThat(model.problem().get()).contains("no such result");
        model.base().result().set(before);
        assertThat(model.problem().get()).isEmpty();
        assertThat(pairs()).hasSize(4);
        model.close();
        assertThat(model.opened().get()).isFalse();
        assertThat(model.reading().get()).isNull();
    }

    @Test
    void theLastQuestionWinsWhateverArrivesLate() {
        Deque<Runnable> waiting = new ArrayDeque<>();
        ComparisonViewModel slow =
                new ComparisonViewModel(own.tools(), new BackgroundWork(waiting::add, new InlineUi()), folder -> true);
        slow.open(before, after);
        slow.candidate().result().set(before);
        assertThat(slow.comparing().get()).isTrue();
        waiting.removeLast().run();
        assertThat(slow.reading().get().comparison().pairs()).isEmpty();
        while (!waiting.isEmpty()) {
            waiting.removeFirst().run();
        }
        assertThat(slow.reading().get().comparison().pairs()).isEmpty();
        assertThat(slow.comparing().get()).isFalse();
    }

    @Test
    void singleRunsAreComparedWithoutInterval() {
        ExperimentSpec twice = Experiments.SCHEDULERS.withRuns(2);
        ExperimentManifest manifest = Experiments.manifest("runs", twice, RunStatus.COMPLETE, Verdict.Grade.VALID, DAY);
        List<RunRecord> runs = manifest.plan().stream()
                .map(plan -> VirtualRuns.run(Experiments.runRecord(plan, manifest), 60, 64)).toList();
        own.add(new ExperimentRecord(own.folder().resolve("runs"), manifest, runs, List.of()));
        ResultRow repeated =
                new ResultRow(ResultRow.Origin.OWN, own.folder().resolve("runs"), Optional.of(manifest), "");
        model.open(repeated, repeated);
        int cells = twice.cells().size();
        assertThat(model.base().parts()).hasSize(1 + cells + 2 * cells);
        chooseBaseCell(1 + cells);
        model.candidate().part().set(model.candidate().parts().get(2 + cells));
        assertThat(model.base().part().get().label()).endsWith("repetition 1; n = 1");
        assertThat(pairs()).singleElement().satisfies(pair -> {
            assertThat(pair.base()).startsWith("runs#run-0 (");
            assertThat(pair.candidate()).startsWith("runs#run-1 (");
            assertThat(pair.figures()).isNotEmpty().allSatisfy(figure -> {
                assertThat(figure.baseHalfWidth()).isNull();
                assertThat(figure.improvementLow()).isNull();
                assertThat(figure.outcome()).isEqualTo(Comparison.Outcome.TOO_FEW_RUNS);
            });
            assertThat(pair.isTested()).isFalse();
            assertThat(PairText.table(pair).rows()).allMatch(row -> row.cells().get(5).equals("–"));
            assertThat(PairText.notes(pair)).contains("One run has no interval: no difference can be tested.");
        });
        assertThat(model.command().orElseThrow()).startsWith("./inferometer compare runs#run-0 runs#run-1");
    }
}
