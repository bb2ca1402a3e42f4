package org.inferometer.report.compare;

import java.util.List;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Metric;
import org.inferometer.report.AxisUnit;
import org.inferometer.report.FigureText;
import org.inferometer.report.ReportTable.Column;

/// A column of a table: a metric with its heading and unit.
///
/// @param interval whether the 95 % interval is shown
record FigureColumn(Metric metric, String label, AxisUnit unit, boolean interval) {
    /// With interval, in the unit that tables use.
    static FigureColumn figure(Metric metric, String label) {
        return new FigureColumn(metric, label, AxisUnit.ofTables(metric.unit()), true);
    }

    /// The metric under its own label.
    static FigureColumn figure(Metric metric) {
        return figure(metric, metric.label());
    }

    FigureColumn in(AxisUnit other) {
        return new FigureColumn(metric, label, other, interval);
    }

    FigureColumn withoutInterval() {
        return new FigureColumn(metric, label, unit, false);
    }

    Column column() {
        return Column.figures(label, unit.label(), metric);
    }

    /// One text a cell, all with as many decimals as the largest has. Without intervals a dash stands for a missing figure.
    List<String> texts(List<ComparedCell> cells) {
        List<String> texts = FigureText.column(cells.stream()
                .map(cell -> cell.figure(metric).map(figure -> interval ? figure : mean(figure))).toList(), unit);
        return interval ? texts : texts.stream()
                .map(text -> text.equals(FigureText.NOT_RECORDED) ? FigureText.NOT_APPLICABLE : text).toList();
    }

    private static CellFigure mean(CellFigure figure) {
        return new CellFigure(figure.metric(), figure.mean(), null, figure.runValues(), figure.runSeeds(), figure.n(),
                figure.fewest(), figure.enough(), figure.looks());
    }

    /// Whether any of the cells has the figure.
    boolean isIn(List<ComparedCell> cells) {
        return cells.stream().anyMatch(cell -> cell.figure(metric).isPresent());
    }

    /// Whether the figure of any of the cells is above 0.
    boolean isAboveZeroIn(List<ComparedCell> cells) {
        return cells.stream().anyMatch(cell -> cell.figure(metric).filter(figure -> figure.mean() > 0).isPresent());
    }
}
