package org.inferometer.ui.chart;

import java.awt.BasicStroke;
import java.awt.Shape;
import java.awt.geom.AffineTransform;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import javafx.scene.Node;
import javafx.scene.canvas.Canvas;
import javafx.scene.text.FontSmoothingType;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartRenderer;
import org.inferometer.ui.chart.PlotArea.PlotScale;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.LegendItem;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.LogarithmicAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.fx.ChartCanvas;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.fx.FXGraphics2D;
import org.jspecify.annotations.Nullable;

/// One drawing of a chart on a canvas of its own: a reused one keeps stale colours and fonts, and draws in black.
///
/// The only class of the desktop that uses JFreeChart. Belongs to the JavaFX thread. [#dispose] frees the canvas.
public final class ChartDrawing {
    private static final double LINE_SWATCH = 32;
    private static final double PATCH_SWATCH = 14;
    private final ChartCanvas canvas = new ChartCanvas(null);
    private final JFreeChart chart;

    /// Makes the JFreeChart of a chart in the theme of the window.
    public interface Composer {
        /// A new drawing, not shared.
        ///
        /// @param scale of texts, strokes and markers: 1 for the usual size
        /// @param widthPixels width of the drawing in device pixels
        JFreeChart compose(ChartData chart, ChartRenderer.Shade shade, double scale, int widthPixels);
    }

    /// An entry of the legend: the series' name with its line and marker, or its patch.
    record LegendEntry(String name, Node swatch) {}

    private ChartDrawing(JFreeChart chart) {
        this.chart = chart;
        canvas.setTooltipEnabled(false);
        canvas.setDomainZoomable(false);
        canvas.setRangeZoomable(false);
        canvas.setOnMousePressed(null);
        canvas.setOnMouseMoved(null);
        canvas.setOnMouseDragged(null);
        canvas.setOnMouseReleased(null);
        canvas.setOnMouseClicked(null);
        canvas.setOnScroll(null);
        canvas.setManaged(false);
        canvas.setMouseTransparent(true);
        canvas.getGraphicsContext2D().setFontSmoothingType(FontSmoothingType.GRAY);
    }

    /// A drawing without title, legend and footer; those are nodes. Nothing is drawn yet.
    ///
    /// @param scale of texts, strokes and markers
    /// @param widthPixels width in device pixels
    static ChartDrawing compose(ChartTools tools, ChartData data, double scale, int widthPixels) {
        ChartData bare = new ChartData(data.id(), "", "", data.x(), data.y(), data.marks(), data.guides());
        JFreeChart chart = tools.composer().compose(bare, tools.shade().getValue(), scale, widthPixels);
        chart.setTitle((TextTitle) null);
        List.copyOf(chart.getSubtitles()).forEach(chart::removeSubtitle);
        return new ChartDrawing(chart);
    }

    /// Draws; called once.
    void draw(double top, double width, double height) {
        canvas.setLayoutY(top);
        canvas.setWidth(width);
        canvas.setHeight(height);
        canvas.setChart(chart);
    }

    Canvas node() {
        return canvas;
    }

    void dispose() {
        canvas.setChart(null);
    }

    /// The plot in pixels of the canvas' parent; null before it is drawn.
    @Nullable
    PlotArea area() {
        Rectangle2D data =
                canvas.getRenderingInfo() == null ? null : canvas.getRenderingInfo().getPlotInfo().getDataArea();
        if (data == null || data.isEmpty()) {
            return null;
        }
        double top = canvas.getLayoutY();
        return switch (chart.getPlot()) {
            case XYPlot plot -> new PlotArea(scale(plot.getDomainAxis(), data.getMinX(), data.getMaxX()),
                    scale(plot.getRangeAxis(), top + data.getMaxY(), top + data.getMinY()));
            case CategoryPlot plot -> new PlotArea(categories(plot, data),
                    scale(plot.getRangeAxis(), top + data.getMaxY(), top + data.getMinY()));
            default -> null;
        };
    }

    private static PlotScale scale(ValueAxis axis, double start, double end) {
        boolean logarithmic = axis instanceof LogAxis || axis instanceof LogarithmicAxis;
        double lower = axis.isInverted() ? axis.getUpperBound() : axis.getLowerBound();
        double upper = axis.isInverted() ? axis.getLowerBound() : axis.getUpperBound();
        return new PlotScale(start, end, lower, upper, logarithmic);
    }

    /// Categories at 0, 1, 2 by the middles of the first two.
    private static PlotScale categories(CategoryPlot plot, Rectangle2D data) {
        CategoryAxis axis = plot.getDomainAxis();
        int n = Math.max(1, plot.getCategories() == null ? 1 : plot.getCategories().size());
        double first = axis.getCategoryMiddle(0, n, data, RectangleEdge.BOTTOM);
        double pitch = n == 1 ? data.getWidth() : axis.getCategoryMiddle(1, n, data, RectangleEdge.BOTTOM) - first;
        return new PlotScale(data.getMinX(), data.getMaxX(), (data.getMinX() - first) / pitch,
                (data.getMaxX() - first) / pitch, false);
    }

    /// What its legend lists.
    List<LegendEntry> legend() {
        List<LegendEntry> entries = new ArrayList<>();
        for (int i = 0; i < chart.getPlot().getLegendItems().getItemCount(); i++) {
            LegendItem item = chart.getPlot().getLegendItems().get(i);
            entries.add(new LegendEntry(item.getLabel(), swatch(item)));
        }
        return entries;
    }

    private static Node swatch(LegendItem item) {
        double width = item.isLineVisible() ? LINE_SWATCH : PATCH_SWATCH;
        Canvas picture = new Canvas(width, PATCH_SWATCH);
        FXGraphics2D g2 = new FXGraphics2D(picture.getGraphicsContext2D());
        AffineTransform middle = AffineTransform.getTranslateInstance(width / 2, PATCH_SWATCH / 2);
        if (item.isLineVisible()) {
            g2.setPaint(item.getLinePaint());
            g2.setStroke(item.getLineStroke());
            g2.draw(middle.createTransformedShape(item.getLine()));
        }
        if (item.isShapeVisible()) {
            Shape shape = middle.createTransformedShape(item.getShape());
            if (item.isShapeFilled()) {
                g2.setPaint(item.getFillPaint());
                g2.fill(shape);
            }
            if (item.isShapeOutlineVisible()) {
                g2.setPaint(item.getOutlinePaint());
                g2.setStroke(item.getOutlineStroke() == null ? new BasicStroke(1) : item.getOutlineStroke());
                g2.draw(shape);
            }
        }
        return picture;
    }
}
