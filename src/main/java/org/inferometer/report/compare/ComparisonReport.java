package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.measurement.comparison.Comparison;
import org.inferometer.measurement.comparison.Comparison.Outcome;
import org.inferometer.report.FigureText;
import org.inferometer.report.GainText;
import org.inferometer.report.ReportTable;
import org.inferometer.report.ReportTable.Column;
import org.inferometer.report.ReportTable.Row;
import org.inferometer.report.TextTable;
import org.inferometer.report.compare.ResultComparison.ComparedFigure;
import org.inferometer.report.compare.ResultComparison.Pair;
import org.inferometer.wording.Voice;

/// A comparison of results as plain text: the headline, the verdicts with their warnings, then a table a pair.
public final class ComparisonReport {
    private static final int MOST_NAMED = 4;

    private ComparisonReport() {}

    /// Ends with a line feed.
    ///
    /// @param columns the widest line
    public static String of(ResultComparison comparison, int columns) {
        StringBuilder out = new StringBuilder();
        if (!comparison.pairs().isEmpty()) {
            out.append(TextTable.hanging(comparison.headline().toString(), "", columns)).append('\n');
        }
        out.append("Verdict\n");
        verdicts(comparison.pairs()).forEach(sentence -> out.append(TextTable.hanging(sentence, "  ", columns)));
        if (comparison.pairs().isEmpty()) {
            out.append(TextTable.hanging("Nothing to compare: no cell of the candidates matches a cell of the base.",
                    "  ", columns));
        }
        comparison.unpaired().forEach(sentence -> out.append(TextTable.hanging(sentence, "  ", columns)));
        tables(comparison).forEach(table -> out.append('\n').append(TextTable.render(table, columns)));
        return out.toString();
    }

    /// A table a pair that has figures.
    public static List<ReportTable> tables(ResultComparison comparison) {
        SideNames names = SideNames.ofPairs(comparison.pairs());
        return comparison.pairs().stream().filter(pair -> !pair.figures().isEmpty()).map(pair -> table(pair, names))
                .toList();
    }

    /// The verdict on each pair, then the warnings of all pairs, each once. Sides go by what distinguishes them.
    public static List<String> verdicts(List<Pair> pairs) {
        SideNames names = SideNames.ofPairs(pairs);
        List<String> sentences =
                new ArrayList<>(pairs.stream().filter(Pair::isTested).map(pair -> verdict(pair, names)).toList());
        untested(pairs.stream().filter(pair -> !pair.isTested()).toList(), pairs.size(), names).forEach(sentences::add);
        List<String> differences = new ArrayList<>(PairWarnings.differences(pairs));
        if (pairs.stream().anyMatch(pair -> pair.ranked() && !pair.differences().isEmpty())) {
            differences.replaceAll(difference -> "Ranked in spite of: " + difference);
        } else if (pairs.stream().anyMatch(pair -> pair.mayBeRanked() && !pair.figures().isEmpty())) {
            differences.add("Use --anyway to rank.");
        }
        sentences.addAll(differences);
        sentences.addAll(PairWarnings.invalid(pairs));
        sentences.addAll(PairWarnings.twoExperiments(pairs, Voice.COMMAND_LINE));
        return List.copyOf(sentences);
    }

    /// Why pairs have no verdict, each reason once.
    ///
    /// @param all pairs of the comparison
    private static List<String> untested(List<Pair> pairs, int all, SideNames names) {
        Map<String, List<Pair>> reasons = new LinkedHashMap<>();
        pairs.forEach(pair -> reasons.computeIfAbsent(untested(pair), reason -> new ArrayList<>()).add(pair));
        return reasons.entrySet().stream()
                .map(each -> (each.getValue().size() == 1 ? names.against(each.getValue().getFirst())
                        : each.getValue().size() + " of " + all + " pairs") + ": " + each.getKey())
                .toList();
    }

    private static String untested(Pair pair) {
        return pair.figures().isEmpty() ? "nothing to compare, no metric is on both sides."
                : pair.ranked() ? "too few runs, each side needs 2 or more."
                : "not ranked.";
    }

    private static String verdict(Pair pair, SideNames sides) {
        String names = sides.against(pair) + ": ";
        List<String> results = new ArrayList<>();
        list(pair.with(Outcome.FASTER), "better").ifPresent(results::add);
        list(pair.with(Outcome.SLOWER), "worse").ifPresent(results::add);
        List<ComparedFigure> equal = pair.with(Outcome.NO_DETECTABLE_DIFFERENCE);
        if (!equal.isEmpty()) {
            String detectable = new GainText(equal.getFirst().comparison()).detectable()
                    .map(text -> " (" + equal.getFirst().label() + ": " + text + ")").orElse("");
            results.add("no detectable difference in " + equal.size() + (results.isEmpty() ? " metrics" : " more")
                    + detectable);
        }
        return names + String.join("; ", results) + ".";
    }

    private static Optional<String> list(List<ComparedFigure> figures, String word) {
        if (figures.isEmpty()) {
            return Optional.empty();
        }
        List<String> named = figures.stream().limit(MOST_NAMED)
                .map(figure -> figure.label() + " (" + new GainText(figure.comparison()).text() + ")").toList();
        return Optional.of(word + " in " + String.join(", ", named)
                + (figures.size() > MOST_NAMED ? " and " + (figures.size() - MOST_NAMED) + " more" : ""));
    }

    private static ReportTable table(Pair pair, SideNames names) {
        List<Column> columns = List.of(Column.text("Metric"), Column.number("Base", ""), Column.number("Candidate", ""),
                Column.number("Difference", ""), Column.text("Result"), Column.number("Detectable", "%"));
        List<String> notes = new ArrayList<>(
                List.of("± and [ ]: 95 % intervals over runs. A ratio without a word is candidate / base. "
                        + FigureText.DETECTABLE));
        notes.addAll(pair.pairings());
        pair.figures().stream().mapToInt(ComparedFigure::family).max().stream().filter(family -> family > 1).forEach(
                family -> notes.add("Results are Holm-corrected for " + family + " pairs; intervals are not."));
        pair.notes().forEach(note -> notes.add(note.toString()));
        notes.add(pair.differences().isEmpty() ? "Same model, workload, seeds and device."
                : String.join(" ", pair.differenceTexts()));
        notes.add("Base: " + pair.base() + ". Candidate: " + pair.candidate() + ".");
        return new ReportTable(names.against(pair), "", columns,
                pair.figures().stream().map(figure -> row(figure, pair)).toList(), notes);
    }

    private static Row row(ComparedFigure figure, Pair pair) {
        Comparison comparison = figure.comparison();
        String unit = FigureText.unit(comparison.metric().unit());
        return Row.of(List.of(figure.label() + (unit.isEmpty() ? "" : ", " + unit),
                FigureText.figure(Optional.of(comparison.base())),
                FigureText.figure(Optional.of(comparison.candidate())),
                new GainText(pair.ranked() ? comparison : comparison.unranked()).withInterval(),
                pair.isTested() ? figure.outcomeText() : FigureText.NOT_APPLICABLE,
                FigureText.detectable(comparison.relativeSmallestDetectable())));
    }
}
