package org.inferometer.ui.twin;

import java.awt.Color;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.chart.ChartDrawing;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/// Draws lines only; enough to see that a chart is drawn.
public final class PlainComposer implements ChartDrawing.Composer {
    private int composed;

    /// How many drawings were made.
    public int composed() {
        return composed;
    }

    @Override
    public JFreeChart compose(ChartData chart, Shade shade, double scale, int widthPixels) {
        composed++;
        XYSeriesCollection data = new XYSeriesCollection();
        if (chart.marks() instanceof ChartData.Marks.Lines lines) {
            for (ChartData.Line line : lines.lines()) {
                XYSeries series = new XYSeries(line.name());
                for (int i = 0; i < line.x().length; i++) {
                    series.add(line.x()[i], line.y()[i]);
                }
                data.addSeries(series);
            }
        }
        JFreeChart drawing = ChartFactory.createXYLineChart(chart.title(), chart.x().label(), chart.y().label(), data);
        drawing.setBackgroundPaint(shade == Shade.DARK ? new Color(0x0d1117) : Color.WHITE);
        return drawing;
    }
}
