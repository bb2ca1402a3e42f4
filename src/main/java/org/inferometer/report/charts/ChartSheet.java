package org.inferometer.report.charts;

import java.util.List;

/// Several charts on one picture, row by row.
///
/// @param id stable name, for files: "latency_comparison"
/// @param panels at least one
/// @param across panels in a row
public record ChartSheet(String id, List<ChartData> panels, int across) {
    /// Rows of panels; the last may be short.
    public int down() {
        return (panels.size() + across - 1) / across;
    }
}
