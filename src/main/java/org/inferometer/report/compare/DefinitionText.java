package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.measurement.definitions.DefinedFigure;
import org.inferometer.measurement.definitions.DefinedFigure.Move;
import org.inferometer.measurement.definitions.Definition;
import org.inferometer.measurement.definitions.Redefinition;
import org.inferometer.record.Metric;
import org.inferometer.record.RunRecord;
import org.inferometer.report.FigureText;
import org.inferometer.report.ReportTable;
import org.inferometer.report.ReportTable.Column;
import org.inferometer.report.ReportTable.Row;
import org.inferometer.report.TextTable;

/// The figures of a run under our definitions and another tool's, and the rules that change them.
public final class DefinitionText {
    private DefinitionText() {}

    /// The figures of a run under a definition.
    ///
    /// @param goal the SLO of goodput
    public static List<DefinedFigure> figures(RunRecord run, Definition definition, DeploymentGoal goal) {
        return Redefinition.of(run.observations().requests(), run.observations().setup().load(), definition,
                goal.equals(DeploymentGoal.NONE) ? null : goal.objective());
    }

    /// The figures as a table; ends with a line feed.
    ///
    /// @param columns the widest line
    public static String of(RunRecord run, Definition definition, DeploymentGoal goal, int columns) {
        List<DefinedFigure> figures = figures(run, definition, goal);
        String title = run.folderName() + " under the definitions of " + definition.label();
        if (figures.isEmpty()) {
            return title + ": no requests recorded, figures cannot be recomputed.\n";
        }
        List<String> rules =
                figures.stream().flatMap(figure -> figure.moves().stream()).map(Move::text).distinct().toList();
        List<Row> rows = figures.stream().map(figure -> row(figure, rules)).toList();
        List<String> notes = new ArrayList<>();
        for (int rule = 0; rule < rules.size(); rule++) {
            notes.add("(" + (rule + 1) + ") " + rules.get(rule) + ".");
        }
        notes.addAll(definition.caveats());
        List<Column> heads = List.of(Column.text("Metric"), Column.text("Name there"), Column.number("Inferometer", ""),
                Column.number(definition.label(), ""), Column.text("Changed by"));
        return TextTable.render(new ReportTable(title, "", heads, rows, notes), columns);
    }

    /// The rules that change the figure by number, with the amount.
    private static Row row(DefinedFigure figure, List<String> rules) {
        Metric metric = figure.metric();
        String moves =
                figure.moves().stream().map(move -> "(" + (rules.indexOf(move.text()) + 1) + ") " + step(metric, move))
                        .map(String::strip).collect(Collectors.joining(", "));
        return Row.of(List.of(FigureText.label(metric), figure.there().isPresent() ? figure.name() : "",
                value(metric, figure.here()), value(metric, figure.there()), moves));
    }

    /// A figure in the unit of tables; a dash for none.
    public static String value(Metric metric, Optional<Double> raw) {
        return raw.map(value -> FigureText.value(metric.unit(), value)).orElse(FigureText.NOT_APPLICABLE);
    }

    /// The change by a rule with its sign; empty where the rule adds or removes the metric.
    public static String step(Metric metric, Move move) {
        if (move.before() == null || move.after() == null) {
            return "";
        }
        double step = move.after() - move.before();
        return (step < 0 ? "−" : "+") + FigureText.value(metric.unit(), Math.abs(step));
    }
}
