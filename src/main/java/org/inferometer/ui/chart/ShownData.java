package org.inferometer.ui.chart;

import java.util.Optional;
import org.inferometer.report.charts.ChartData;
import org.inferometer.ui.chart.PlotArea.AxisRange;
import org.jspecify.annotations.Nullable;

/// The data of a chart, and what is seen of them: without hidden series, within a zoom.
final class ShownData {
    private SeriesSelection selection = new SeriesSelection();
    private @Nullable ChartData whole;

    /// Takes new data; null while the chart waits. Hidden series stay hidden.
    void replace(@Nullable ChartData chart) {
        whole = chart;
    }

    @Nullable
    ChartData whole() {
        return whole;
    }

    /// Hides and shows series together with another chart.
    void share(ShownData other) {
        selection = other.selection;
    }

    SeriesSelection selection() {
        return selection;
    }

    /// Hides or shows a series; shows it alone if isolated.
    void choose(String name, boolean isolate) {
        if (whole != null && isolate) {
            selection.isolate(name, whole);
        } else if (whole != null) {
            selection.toggle(name, whole);
        }
    }

    /// Whether no series is hidden.
    boolean isWhole() {
        return whole != null
                && SeriesSelection.of(whole).stream().noneMatch(series -> selection.isHidden(series.name()));
    }

    /// Without hidden series; null while the chart waits.
    @Nullable
    ChartData selected() {
        return whole == null ? null : selection.visible(whole);
    }

    /// Without hidden series, within a zoom; null while the chart waits.
    @Nullable
    ChartData within(Optional<AxisRange> zoom) {
        ChartData visible = selected();
        return visible == null || zoom.isEmpty() ? visible : VisiblePart.of(visible, zoom.get());
    }

    /// The ends of the x axis without zoom; empty if it cannot be zoomed.
    Optional<AxisRange> ends() {
        ChartData visible = selected();
        return visible == null ? Optional.empty() : VisiblePart.ends(visible);
    }

    /// Whether a zoom of one chart fits the other.
    static boolean sameAxis(ChartData one, ChartData other) {
        return one.id().equals(other.id()) || (one.x().label().equals(other.x().label())
                && one.x().logarithmic() == other.x().logarithmic() && !one.x().label().isEmpty());
    }
}
