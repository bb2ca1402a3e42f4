package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.inferometer.measurement.MemoryMetrics;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.CellFigure;
import org.inferometer.record.MemoryOwner;
import org.inferometer.record.Metric;
import org.inferometer.report.FigureText;
import org.inferometer.report.ReportTable;
import org.inferometer.report.ReportTable.Column;
import org.inferometer.report.ReportTable.Row;

/// Memory by owner: a heading a cell, a row an owner.
final class MemoryTable {
    private MemoryTable() {}

    /// The table; empty where no cell has samples of memory.
    static Optional<ReportTable> of(List<ComparedCell> cells) {
        List<Row> rows = new ArrayList<>();
        for (ComparedCell cell : cells) {
            if (cell.figure(Metrics.MEMORY_TOTAL.peak()).isPresent()) {
                rows.add(Row.heading(cell.label()));
                rows.add(row("Total", cell, Metrics.MEMORY_TOTAL));
                Arrays.stream(MemoryOwner.values()).filter(owner -> holds(cell, owner))
                        .forEach(owner -> rows.add(row(owner.label(), cell, Metrics.memory(owner))));
            }
        }
        List<Column> columns = new ArrayList<>(List.of(Column.text("Owner")));
        Stream.of("Min", "Mean", "Peak", "Peak − min").forEach(header -> columns.add(Column.number(header, "MiB")));
        return rows.isEmpty() ? Optional.empty()
                : Optional.of(new ReportTable("Memory by owner", ComparedCell.common(cells), columns, rows, List.of(
                        "Samples inside the window; means over runs. The peak of the total is not the sum of the owners' peaks.",
                        "Unattributed: libraries, thread stacks and all that has no owner here.")));
    }

    private static boolean holds(ComparedCell cell, MemoryOwner owner) {
        return cell.figure(Metrics.memory(owner).peak()).filter(peak -> peak.mean() != 0).isPresent();
    }

    private static Row row(String owner, ComparedCell cell, MemoryMetrics metrics) {
        return Row.of(Stream.concat(Stream.of("  " + owner),
                Stream.of(metrics.least(), metrics.mean(), metrics.peak(), metrics.growth())
                        .map(metric -> text(cell, metric)))
                .toList());
    }

    private static String text(ComparedCell cell, Metric metric) {
        return cell.figure(metric).map(CellFigure::mean).map(mean -> FigureText.value(metric.unit(), mean))
                .orElse(FigureText.NOT_APPLICABLE);
    }
}
