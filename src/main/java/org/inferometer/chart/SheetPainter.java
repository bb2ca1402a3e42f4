package org.inferometer.chart;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.stream.Collectors;
import org.inferometer.chart.JFreeCharts.PicturePainter;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartRenderer.Picture;
import org.inferometer.report.charts.ChartSheet;
import org.jfree.chart.JFreeChart;

/// Paints the panels of a sheet side by side.
record SheetPainter(ChartSheet sheet, Picture picture) implements PicturePainter {
    private static final double TILE_WIDTH = 900;
    private static final double TILE_HEIGHT = 480;

    @Override
    public long width() {
        return (long) picture.panelWidth() * sheet.across();
    }

    @Override
    public long height() {
        return (long) picture.panelHeight() * sheet.down();
    }

    /// The titles of the panels.
    @Override
    public String title() {
        return sheet.panels().stream().map(ChartData::title).collect(Collectors.joining("; "));
    }

    @Override
    public void paint(Graphics2D g2, double scale) {
        g2.setColor(new ChartStyle(picture.shade(), 1).background());
        g2.fill(new Rectangle2D.Double(0, 0, width(), height()));
        ChartComposer composer = new ChartComposer(picture.shade(), styleScale());
        for (int panel = 0; panel < sheet.panels().size(); panel++) {
            double left = (double) panel % sheet.across() * picture.panelWidth();
            double top = (double) (panel / sheet.across()) * picture.panelHeight();
            JFreeChart chart =
                    composer.compose(sheet.panels().get(panel), (int) Math.round(picture.panelWidth() * scale));
            ChartFrame.keep(chart, picture.parts());
            chart.draw(g2, new Rectangle2D.Double(left, top, picture.panelWidth(), picture.panelHeight()));
        }
    }

    /// Fonts and lines grow with the picture, to 1.5 times at most.
    private double styleScale() {
        return Math.clamp(Math.min(picture.panelWidth() / TILE_WIDTH, picture.panelHeight() / TILE_HEIGHT), 1, 1.5);
    }
}
