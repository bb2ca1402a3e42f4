package org.inferometer.report.charts;

import java.util.List;
import java.util.function.UnaryOperator;

/// Several charts on one picture, row by row.
///
/// @param id stable name, for files: "latency_comparison"
/// @param panels at least one
/// @param across panels in a row
public record ChartSheet(String id, List<ChartData> panels, int across) {
    /// One chart.
    public static ChartSheet of(ChartData chart) {
        return new ChartSheet(chart.id(), List.of(chart), 1);
    }

    /// What its panels show: "Requests running and waiting"; of one panel its title.
    public String title() {
        String title = panels.getFirst().title();
        return panels.size() == 1 ? title : title.split(": ", 2)[0];
    }

    /// The same with every name and sentence changed, without its requests.
    public ChartSheet withText(UnaryOperator<String> change) {
        return new ChartSheet(id, panels.stream().map(chart -> chart.withText(change)).toList(), across);
    }

    /// The same with its source behind the footer of each panel.
    public ChartSheet from(String source) {
        return new ChartSheet(id, panels.stream().map(chart -> chart.from(source)).toList(), across);
    }

    /// Rows of panels; the last may be short.
    public int down() {
        return (panels.size() + across - 1) / across;
    }
}
