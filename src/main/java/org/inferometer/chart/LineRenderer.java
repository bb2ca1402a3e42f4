package org.inferometer.chart;

import java.util.List;
import org.inferometer.report.charts.ChartData.Line;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;

/// Draws each curve as one path with a few markers; a marker at every point of a measured series, and at points between gaps.
final class LineRenderer extends XYLineAndShapeRenderer {
    private static final long serialVersionUID = 1L;
    private static final int MARKERS = 7;
    private final transient ColumnsDataset data;
    private final transient List<Boolean> marked;
    private final transient List<Boolean> faint;

    LineRenderer(List<Line> lines, ColumnsDataset data, ChartStyle style) {
        super(true, false);
        this.data = data;
        this.marked = lines.stream().map(Line::marked).toList();
        this.faint = lines.stream().map(line -> line.style().isFaint()).toList();
        setDrawSeriesLineAsPath(true);
        setDefaultCreateEntities(false);
        setUseFillPaint(true);
        setDrawOutlines(true);
        Markers markers = new Markers(style, ChartStyle.MARK_RADIUS);
        for (int s = 0; s < lines.size(); s++) {
            SeriesStyle own = lines.get(s).style();
            setSeriesPaint(s, style.series(own));
            setSeriesStroke(s, style.line(own));
            setSeriesShape(s, markers.shape(own));
            setSeriesFillPaint(s, markers.fill(own));
            setSeriesOutlineStroke(s, markers.edge());
        }
    }

    /// Every point of a measured series, none of a faint one, else seven markers per series, shifted from series to series.
    @Override
    public boolean getItemShapeVisible(int series, int item) {
        double[] y = data.curve(series).y();
        boolean alone = (item == 0 || Double.isNaN(y[item - 1])) && (item == y.length - 1 || Double.isNaN(y[item + 1]));
        if (alone || marked.get(series) || marked.size() == 1) {
            return alone || (marked.get(series) && !Double.isNaN(y[item]));
        }
        if (faint.get(series)) {
            return false;
        }
        int stride = Math.max(1, y.length / MARKERS);
        int offset = (int) (stride * ((series * 0.37 + 0.3) % 1.0));
        return item % stride == offset;
    }
}
