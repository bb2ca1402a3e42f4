package org.inferometer.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.finding.SideDifference;
import org.inferometer.measurement.CellFigures;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.comparison.Comparison;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.Figure;
import org.inferometer.report.charts.SweptCells;
import org.inferometer.results.SampleRecords;
import org.inferometer.wording.ComparisonWording;
import org.inferometer.wording.Voice;
import org.junit.jupiter.api.Test;

/// Whether both sides did the same work, as each counted it.
class OtherWorkTest {
    /// A server that stops at half of the answer is faster and does half of the work.
    @Test
    void otherWorkIsNotRanked() {
        ComparedSide full = answering(40, 64);
        assertThat(SideDifferences.of(full, answering(39, 66))).isEmpty();
        assertThat(SideDifferences.of(full, answering(20, 64)))
                .containsExactly(new SideDifference.OtherLengths(SideDifference.Length.ANSWER, 40, 20));
        assertThat(SideDifferences.of(full, answering(40, 128)))
                .containsExactly(new SideDifference.OtherLengths(SideDifference.Length.PROMPT, 64, 128));
        assertThat(ComparisonWording.sentence(compared(full, answering(20, 64)).contrast())).doesNotContain("workload");
        assertThat(compared(full, answering(20, 64)).ranked()).isFalse();
    }

    private static ComparedSide answering(int output, int prompt) {
        ComparedSide one =
                ComparedSide.part(FindingsTest.record(SampleRecords.experiment(Path.of("x"), 3)), "1").orElseThrow();
        List<CellFigure> counts = Stream
                .of(new Figure(Metrics.REQUESTS_OK, 50, 50, true),
                        new Figure(Metrics.OUTPUT_TOKENS, 50 * output, 50, true),
                        new Figure(Metrics.PROMPT_TOKENS, 50 * prompt, 50, true))
                .map(figure -> CellFigures.of(List.of(List.of(figure), List.of(figure), List.of(figure))).getFirst())
                .toList();
        List<CellFigure> figures = Stream
                .concat(counts.stream(), one.figures().stream().filter(
                        figure -> counts.stream().noneMatch(count -> count.metric().id().equals(figure.metric().id()))))
                .toList();
        return new ComparedSide(output + "-" + prompt, output + "-" + prompt, one.cell(), one.model(), figures,
                one.workloads(), one.machine(), List.of(), ComparedSide.Origin.NOT_KNOWN, List.of());
    }

    private static ResultComparison.Pair compared(ComparedSide base, ComparedSide candidate) {
        return ResultComparison.of(List.of(base), List.of(List.of(candidate)), false, KnownVariation.NONE).pairs()
                .getFirst();
    }

    /// The same within an experiment: neither headline, best cell, recommendation nor baseline ranks.
    @Test
    void cellsWithOtherWorkAreNotRanked() throws Exception {
        List<ComparedCell> cells =
                SweptCells.of(List.of("tiny-int4"), List.of("naive", "continuous"), SweptCells.rates(4)).stream()
                        .map(cell -> withAnswers(cell, cell.summary().cellIndex() == 0 ? 40 : 20)).toList();
        String said = "nswers of naive have 40.0 tokens, of continuous 20.0.";
        assertThat(Headline.of(SweptCells.manifest(List.of()), cells).map(answer -> answer.text().toString()))
                .contains("Not ranked: a" + said);
        assertThat(BestCell.of(cells, Metrics.OUTPUT_THROUGHPUT)).isEmpty();
        assertThat(Recommendations.of(cells, Voice.COMMAND_LINE).orElseThrow().rows().stream().skip(1)
                .map(row -> row.cells().get(1)).distinct()).containsExactly("cannot tell");
        BaselineComparison baselines = BaselineComparison.overBaselines(cells, List.of());
        assertThat(baselines.of(Metrics.OUTPUT_THROUGHPUT))
                .allMatch(each -> each.comparison().outcome() == Comparison.Outcome.NOT_RANKED).isNotEmpty();
        assertThat(baselines.tables().getFirst().footnotes()).contains("Not ranked: a" + said);
    }

    private static ComparedCell withAnswers(ComparedCell cell, int tokens) {
        CellSummary summary = cell.summary();
        Figure ok = new Figure(Metrics.REQUESTS_OK, 50, 50, true);
        Figure output = new Figure(Metrics.OUTPUT_TOKENS, 50 * tokens, 50, true);
        return new ComparedCell(cell.label(), cell.name(), cell.experiment(),
                new CellSummary(summary.cellIndex(), summary.cell(), summary.model(), summary.precision(),
                        summary.runs(), Stream
                                .concat(summary.figures().stream(),
                                        CellFigures.of(Collections.nCopies(3, List.of(ok, output))).stream())
                                .toList()));
    }
}
