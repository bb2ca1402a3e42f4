package org.inferometer.report.charts;

import java.util.List;
import java.util.function.UnaryOperator;

/// Several charts on one picture, row by row.
///
/// @param id stable name, for files: "latency_comparison"
/// @param title what its panels show: "Requests running and waiting"
/// @param panels at least one
/// @param across panels in a row
public record ChartSheet(String id, String title, List<ChartData> panels, int across) {
    /// One chart.
    public static ChartSheet of(ChartData chart) {
        return new ChartSheet(chart.id(), chart.title(), List.of(chart), 1);
    }

    /// The same with every name and sentence changed, without its requests.
    public ChartSheet withText(UnaryOperator<String> change) {
        return new ChartSheet(id, change.apply(title), panels.stream().map(chart -> chart.withText(change)).toList(),
                across);
    }

    /// The same with its source behind the footer of each panel.
    public ChartSheet from(String source) {
        return new ChartSheet(id, title, panels.stream().map(chart -> chart.from(source)).toList(), across);
    }

    /// Rows of panels; the last may be short.
    public int down() {
        return (panels.size() + across - 1) / across;
    }
}
