package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.inferometer.measurement.Comparison;
import org.inferometer.measurement.Comparison.Outcome;
import org.inferometer.report.FigureText;
import org.inferometer.report.ReportTable;
import org.inferometer.report.ReportTable.Column;
import org.inferometer.report.ReportTable.Row;
import org.inferometer.report.TextTable;
import org.inferometer.report.compare.ResultComparison.ComparedFigure;
import org.inferometer.report.compare.ResultComparison.Pair;

/// A comparison of results as plain text: the verdict first, then a table a pair, then what the two do not share.
public final class ComparisonText {
    private static final int NAMED = 4;

    private ComparisonText() {}

    /// Ends with a line feed.
    ///
    /// @param columns the widest line
    public static String of(ResultComparison comparison, int columns) {
        StringBuilder out = new StringBuilder("Verdict\n");
        comparison.pairs().forEach(pair -> paragraph(out, verdict(pair), columns));
        if (comparison.pairs().isEmpty()) {
            paragraph(out,
                    "There is nothing to compare: no cell of the candidates has a counterpart of another result in the base.",
                    columns);
        }
        comparison.unpaired().forEach(sentence -> paragraph(out, sentence, columns));
        for (Pair pair : comparison.pairs().stream().filter(pair -> !pair.figures().isEmpty()).toList()) {
            out.append('\n').append(TextTable.render(table(pair), columns));
        }
        return out.toString();
    }

    /// One pair in a sentence or a few.
    static String verdict(Pair pair) {
        StringBuilder sentence = new StringBuilder(pair.candidate() + " against " + pair.base() + ": ");
        pair.cautions().forEach(caution -> sentence.append(caution).append(' '));
        if (pair.figures().isEmpty()) {
            return sentence.append("there is nothing to compare, since the two share no figure.").toString();
        }
        if (!pair.ranked()) {
            return sentence.append("not comparable, so nobody is named better. ")
                    .append(String.join(" ", pair.differences())).append(" Add --anyway to rank them knowingly.")
                    .toString();
        }
        List<String> said = new ArrayList<>();
        if (pair.figures().stream().allMatch(figure -> figure.outcome() == Outcome.TOO_FEW_RUNS)) {
            said.add("too few runs to tell, each side needs at least two");
        }
        listed(pair.with(Outcome.FASTER), "better").ifPresent(said::add);
        listed(pair.with(Outcome.SLOWER), "worse").ifPresent(said::add);
        int alike = pair.with(Outcome.NO_DETECTABLE_DIFFERENCE).size();
        if (alike > 0) {
            said.add("no detectable difference in " + alike + (said.isEmpty() ? " figures" : " more"));
        }
        String anyway = pair.differences().isEmpty() ? ""
                : " They are not comparable and were ranked as asked: " + String.join(" ", pair.differences());
        return sentence.append(String.join("; ", said)).append('.').append(anyway).toString();
    }

    private static Optional<String> listed(List<ComparedFigure> figures, String word) {
        if (figures.isEmpty()) {
            return Optional.empty();
        }
        List<String> named = figures.stream().limit(NAMED).map(figure -> figure.label()
                + figure.comparison().improvement().map(gain -> " " + FigureText.signed(gain) + " %").orElse(""))
                .toList();
        return Optional.of(word + " in " + String.join(", ", named)
                + (figures.size() > NAMED ? " and " + (figures.size() - NAMED) + " more" : ""));
    }

    private static ReportTable table(Pair pair) {
        List<Column> columns = List.of(Column.text("Figure"), Column.number("Base", ""), Column.number("Candidate", ""),
                Column.number("Better by", "%"), Column.text("Over runs"), Column.number("Detectable", "%"));
        List<Row> rows = pair.figures().stream().map(ComparisonText::row).toList();
        List<String> notes = new ArrayList<>();
        notes.add(
                "± and [ ] are 95 % intervals over runs; plus is better. Detectable is the smallest difference that would be found four times in five.");
        pair.figures().stream().mapToInt(ComparedFigure::family).max().stream().filter(family -> family > 1)
                .forEach(family -> notes.add("Each figure is judged together with that of the other pairs, " + family
                        + " in all, and corrected after Holm; intervals are not."));
        notes.add(pair.differences().isEmpty()
                ? "Model, workload, seeds, device and definitions are the same on both sides."
                : "Not the same on both sides: " + String.join(" ", pair.differences()));
        return new ReportTable(pair.candidate(), "against " + pair.base(), columns, rows, notes);
    }

    private static Row row(ComparedFigure figure) {
        Comparison comparison = figure.comparison();
        String unit = FigureText.unit(comparison.metric().unit());
        Optional<Double> gain = comparison.improvement();
        String interval = gain.flatMap(middle -> comparison.relativeHalfWidth()
                .map(half -> " [" + FigureText.percent(middle - half) + ", " + FigureText.percent(middle + half) + "]"))
                .orElse("");
        return Row.of(List.of(figure.label() + (unit.isEmpty() ? "" : ", " + unit),
                FigureText.figure(Optional.of(comparison.base())),
                FigureText.figure(Optional.of(comparison.candidate())),
                gain.map(FigureText::signed).orElse(FigureText.NOT_APPLICABLE) + interval, figure.words(),
                comparison.relativeSmallestDetectable().map(FigureText::percent).orElse(FigureText.NOT_APPLICABLE)));
    }

    private static void paragraph(StringBuilder out, String text, int columns) {
        String hanging = "  ";
        for (String line : TextTable.wrapped(text, columns - 4)) {
            out.append(hanging).append(line).append('\n');
            hanging = "    ";
        }
    }
}
