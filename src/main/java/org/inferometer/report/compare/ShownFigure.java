package org.inferometer.report.compare;

import java.util.List;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Metric.Unit;
import org.inferometer.report.AxisUnit;
import org.inferometer.report.FigureText;
import org.inferometer.report.ReportTable.Column;

/// A figure that tables show: which, under which heading, in which unit.
///
/// @param label heading of its column
/// @param spread whether its interval stands behind it
record ShownFigure(String metricId, String label, AxisUnit unit, boolean spread) {
    /// With its interval.
    ShownFigure(String metricId, String label, AxisUnit unit) {
        this(metricId, label, unit, true);
    }

    /// In the unit that tables use for its kind.
    static ShownFigure of(String metricId, String label, Unit unit) {
        return new ShownFigure(metricId, label, AxisUnit.ofTables(unit));
    }

    /// The same as a mean alone, for tables of many columns.
    ShownFigure withoutInterval() {
        return new ShownFigure(metricId, label, unit, false);
    }

    Column column() {
        return Column.number(label, unit.word());
    }

    /// One text a cell, all with as many decimals as the largest has; in tables of many columns a dash says that there is none.
    List<String> texts(List<ComparedCell> cells) {
        List<String> texts = FigureText.column(cells.stream()
                .map(cell -> cell.figure(metricId).map(figure -> spread ? figure : alone(figure))).toList(), unit);
        return spread ? texts : texts.stream()
                .map(text -> text.equals(FigureText.NOT_RECORDED) ? FigureText.NOT_APPLICABLE : text).toList();
    }

    private static CellFigure alone(CellFigure figure) {
        return new CellFigure(figure.metric(), figure.mean(), null, figure.runValues(), figure.n(), figure.fewest(),
                figure.enough());
    }

    /// Whether any of the cells has it.
    boolean isIn(List<ComparedCell> cells) {
        return cells.stream().anyMatch(cell -> cell.figure(metricId).isPresent());
    }

    /// Whether any of the cells has more of it than none.
    boolean isSomeIn(List<ComparedCell> cells) {
        return cells.stream().anyMatch(cell -> cell.figure(metricId).filter(figure -> figure.mean() > 0).isPresent());
    }
}
