package org.inferometer.cli.machine;

import java.util.Locale;
import org.inferometer.report.AlignedColumns;
import org.inferometer.selfcheck.WindowChecks.WindowReport;
import org.inferometer.selfcheck.WindowFigure;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;

/// The figures of the window as a table.
final class WindowCheckTable {
    private WindowCheckTable() {}

    /// One row a figure, and the conditions below.
    ///
    /// @param columns width of the terminal
    static String text(WindowReport report, int columns) {
        AlignedColumns table =
                new AlignedColumns("GOAL", "FIGURE", "MEDIAN>", "P95>", "MAX>", "N>", "TARGET", "VERDICT", "NOTE");
        report.figures()
                .forEach(figure -> table.row(figure.goal(), figure.name(), value(figure.median(), figure.unit()),
                        value(figure.p95(), figure.unit()), value(figure.max(), figure.unit()),
                        Integer.toString(figure.n()), target(figure), verdict(figure.verdict()), figure.note()));
        return table.render(columns) + "\n" + report.conditions() + "\n";
    }

    private static String target(WindowFigure figure) {
        return figure.target() == null ? "-"
                : figure.statistic().name().toLowerCase(Locale.ROOT) + " <= " + value(figure.target(), figure.unit());
    }

    private static String value(@Nullable Double value, String unit) {
        return value == null ? "-" : QuantityText.significant(value) + (unit.isEmpty() ? "" : " " + unit);
    }

    private static String verdict(WindowFigure.GoalVerdict verdict) {
        return switch (verdict) {
            case MET -> "met";
            case MISSED -> "MISSED";
            case INCONCLUSIVE -> "inconclusive";
            case FIGURE -> "-";
            case NOT_MEASURED -> "not measured";
        };
    }
}
