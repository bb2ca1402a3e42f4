package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.inferometer.measurement.comparison.Comparison;
import org.inferometer.measurement.comparison.Comparison.Outcome;
import org.inferometer.report.FigureText;
import org.inferometer.report.GainText;
import org.inferometer.report.ReportTable;
import org.inferometer.report.ReportTable.Column;
import org.inferometer.report.ReportTable.Row;
import org.inferometer.report.compare.PairWarnings;
import org.inferometer.report.compare.ResultComparison.ComparedFigure;
import org.inferometer.report.compare.ResultComparison.Pair;
import org.inferometer.wording.Voice;

/// Texts of a compared pair: verdict, table and notes. Pure.
final class PairText {
    private PairText() {}

    /// Kind of a verdict line.
    enum Tone {
        BETTER, WORSE, ALIKE, CAUTION,
        /// A caution that a calibration answers.
        CALIBRATION
    }

    /// One line of a verdict.
    record VerdictLine(Tone tone, String text) {}

    /// The warnings of all pairs, each once: cautions, and why pairs are not comparable.
    static List<VerdictLine> warnings(List<Pair> pairs) {
        List<String> warnings = new ArrayList<>(PairWarnings.differences(pairs));
        if (pairs.stream().anyMatch(pair -> pair.ranked() && !pair.differences().isEmpty())) {
            warnings.add(text("compare.ranked-anyway"));
        }
        return Stream.of(lines(Tone.CAUTION, PairWarnings.invalid(pairs)),
                lines(Tone.CALIBRATION, PairWarnings.twoExperiments(pairs, Voice.WINDOW)),
                lines(Tone.CAUTION, warnings)).flatMap(lines -> lines).toList();
    }

    private static Stream<VerdictLine> lines(Tone tone, List<String> texts) {
        return texts.stream().map(text -> new VerdictLine(tone, text));
    }

    /// The verdict of a tested pair, the most important line first.
    static List<VerdictLine> verdict(Pair pair) {
        List<VerdictLine> lines = new ArrayList<>();
        named(pair, Outcome.FASTER)
                .ifPresent(figures -> lines.add(new VerdictLine(Tone.BETTER, text("compare.better", figures))));
        named(pair, Outcome.SLOWER)
                .ifPresent(figures -> lines.add(new VerdictLine(Tone.WORSE, text("compare.worse", figures))));
        alike(pair).ifPresent(figures -> lines.add(new VerdictLine(Tone.ALIKE, text("compare.alike", figures))));
        return List.copyOf(lines);
    }

    /// One row per metric: both means with intervals, their difference with interval, and the smallest detectable one. Outcomes of a tested
    /// pair alone: the answer says once why others have none.
    static ReportTable table(Pair pair) {
        List<Column> columns = List.of(Column.text(text("compare.figure")), Column.number(text("compare.base"), ""),
                Column.number(text("compare.candidate"), ""), Column.number(text("compare.gain"), ""),
                Column.number(text("compare.interval"), ""), Column.text(text("compare.outcome")),
                Column.number(text("compare.detectable"), ""));
        return new ReportTable("", "", columns,
                pair.figures().stream().map(figure -> row(figure, pair)).map(Row::of).toList(), List.of());
    }

    /// Notes on the table.
    static List<String> notes(Pair pair) {
        List<String> notes = new ArrayList<>(List.of(text("compare.note-intervals")));
        notes.addAll(pair.pairings());
        pair.notes().forEach(note -> notes.add(note.in(Voice.WINDOW)));
        pair.figures().stream().mapToInt(ComparedFigure::family).max().stream().filter(family -> family > 1)
                .forEach(family -> notes.add(text("compare.note-family", family)));
        if (pair.figures().stream().anyMatch(figure -> figure.outcome() == Outcome.TOO_FEW_RUNS)) {
            notes.add(text("compare.note-single"));
        }
        if (pair.differences().isEmpty()) {
            notes.add(text("compare.note-same"));
        }
        return List.copyOf(notes);
    }

    /// The notes that all of several pairs have, shown once.
    static List<String> sharedNotes(List<Pair> pairs) {
        return pairs.size() < 2 ? List.of() : notes(pairs.getFirst()).stream()
                .filter(note -> pairs.stream().allMatch(pair -> notes(pair).contains(note))).toList();
    }

    private static List<String> row(ComparedFigure figure, Pair pair) {
        Comparison comparison = figure.comparison();
        String unit = FigureText.unit(comparison.metric().unit());
        GainText gain = new GainText(pair.ranked() ? comparison : comparison.unranked());
        return List.of(unit.isEmpty() ? figure.label() : figure.label() + ", " + unit,
                FigureText.figure(Optional.of(comparison.base())),
                FigureText.figure(Optional.of(comparison.candidate())), gain.text(),
                gain.ends().map(ends -> text("compare.from-to", ends.low(), ends.high())).orElse(
                        FigureText.NOT_APPLICABLE),
                pair.isTested() ? figure.outcomeText() : FigureText.NOT_APPLICABLE,
                FigureText.detectable(comparison.relativeSmallestDetectable()));
    }

    /// "TTFT P50 1.07× faster, E2E P95 1.03× faster".
    private static Optional<String> named(Pair pair, Outcome outcome) {
        return joined(pair.figures().stream().filter(figure -> figure.outcome() == outcome)
                .map(figure -> figure.label() + " " + new GainText(figure.comparison()).text()).toList());
    }

    /// "ITL P50 (smallest detectable 2.1 %)".
    private static Optional<String> alike(Pair pair) {
        return joined(pair.figures().stream().filter(figure -> figure.outcome() == Outcome.NO_DETECTABLE_DIFFERENCE)
                .map(figure -> figure.comparison().relativeSmallestDetectable()
                        .map(least -> text("compare.with-detectable", figure.label(), FigureText.detectable(least)))
                        .orElse(figure.label()))
                .toList());
    }

    private static Optional<String> joined(List<String> labels) {
        return labels.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", labels));
    }
}
