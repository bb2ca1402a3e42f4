package org.inferometer.chart;

import java.util.List;
import org.inferometer.report.charts.ChartData.Line;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;

/// Draws each curve as one path with a few markers, and a marker at every point between gaps.
final class LineRenderer extends XYLineAndShapeRenderer {
    private static final long serialVersionUID = 1L;
    private static final int MARKERS = 7;
    private final transient ColumnsDataset data;
    private final boolean markers;

    LineRenderer(List<Line> lines, ColumnsDataset data, ChartStyle style) {
        super(true, false);
        this.data = data;
        this.markers = lines.size() > 1;
        setDrawSeriesLineAsPath(true);
        setDefaultCreateEntities(false);
        for (int s = 0; s < lines.size(); s++) {
            int slot = lines.get(s).style().colour();
            setSeriesPaint(s, style.series(slot));
            setSeriesStroke(s, style.line(slot, lines.get(s).style().dash()));
            setSeriesShape(s, style.marker(slot));
        }
    }

    /// Seven markers per series, shifted from series to series.
    @Override
    public boolean getItemShapeVisible(int series, int item) {
        double[] y = data.curve(series).y();
        boolean alone = (item == 0 || Double.isNaN(y[item - 1])) && (item == y.length - 1 || Double.isNaN(y[item + 1]));
        if (alone || !markers) {
            return alone;
        }
        int stride = Math.max(1, y.length / MARKERS);
        int offset = (int) (stride * ((series * 0.37 + 0.3) % 1.0));
        return item % stride == offset;
    }
}
