package org.inferometer.ui.bench;

import java.util.List;
import org.inferometer.record.Phase;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.run.WorkerFrame;

/// A finished run behind the current one.
///
/// @param name what distinguishes its cell from all others: "tiny-fp8 · naive"
/// @param against what distinguishes it from the current cell: "naive"
/// @param measureStartNanos since the run's anchor
/// @param frames thinned, oldest first
record RunOutline(String name, String against, SeriesStyle style, long measureStartNanos,
        List<WorkerFrame.Live> frames) {

    /// The run as a snapshot of its last frame, so that a figure of it is made as that of the current run.
    LiveSnapshot atItsEnd(LiveSnapshot now) {
        return now.with(Phase.MEASURE, measureStartNanos, frames.isEmpty() ? null : frames.getLast(), frames);
    }
}
