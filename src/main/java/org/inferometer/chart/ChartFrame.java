package org.inferometer.chart;

import java.awt.BasicStroke;
import java.awt.Graphics2D;
import java.awt.Paint;
import java.awt.geom.Rectangle2D;
import java.util.List;
import java.util.Set;
import org.inferometer.chart.ReadableAxis.ReadableLogAxis;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartRenderer.Part;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.Axis;
import org.jfree.chart.axis.TickType;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.axis.ValueTick;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.title.LegendTitle;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.title.Title;
import org.jfree.chart.ui.HorizontalAlignment;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;

/// The frame of every plot: title, legend of two series or more, footer, and the style of axes.
record ChartFrame(ChartStyle style) {
    JFreeChart framed(ChartData data, Plot plot) {
        plot.setBackgroundPaint(style.background());
        plot.setOutlineVisible(false);
        plot.setInsets(RectangleInsets.ZERO_INSETS);
        plot.setNoDataMessage("not recorded");
        plot.setNoDataMessageFont(style.label());
        plot.setNoDataMessagePaint(style.muted());
        JFreeChart chart = new JFreeChart(null, null, plot, false);
        chart.setBackgroundPaint(style.background());
        chart.setBorderVisible(false);
        chart.setAntiAlias(true);
        chart.setTextAntiAlias(true);
        chart.setPadding(insets(8, 10, 6, 14));
        chart.setTitle(text(data.title(), true, RectangleEdge.TOP));
        if (plot.getLegendItems().getItemCount() > 1) {
            chart.addSubtitle(legend(plot));
        }
        if (!data.footer().isEmpty()) {
            chart.addSubtitle(text(data.footer(), false, RectangleEdge.BOTTOM));
        }
        return chart;
    }

    /// Removes the other parts.
    static void keep(JFreeChart chart, Set<Part> parts) {
        if (!parts.contains(Part.TITLE)) {
            chart.setTitle((TextTitle) null);
        }
        for (Object each : List.copyOf(chart.getSubtitles())) {
            Part part = each instanceof LegendTitle ? Part.LEGEND : Part.FOOTER;
            if (each != chart.getTitle() && !parts.contains(part)) {
                chart.removeSubtitle((Title) each);
            }
        }
    }

    /// An empty plot with a grid over two axes.
    XYPlot grid(ValueAxis x, ValueAxis y) {
        XYPlot plot = new GridPlot();
        plot.setDomainAxis(styled(x));
        plot.setRangeAxis(styled(y));
        plot.setDomainGridlinePaint(style.grid());
        plot.setRangeGridlinePaint(style.grid());
        plot.setAxisOffset(RectangleInsets.ZERO_INSETS);
        return plot;
    }

    /// An empty plot whose axes include the guides.
    ///
    /// @param measured places on the x axis that are ticks if their labels fit
    XYPlot plot(ChartData data, ChartRanges xRange, ChartRanges yRange, double... measured) {
        return grid(valueAxis(data.x(), xRange.with(data.x(), data.guides(), true), measured),
                valueAxis(data.y(), yRange.with(data.y(), data.guides(), false)));
    }

    static ValueAxis valueAxis(ChartData.Axis axis, ChartRanges range, double... measured) {
        return axis.logarithmic() ? new ReadableLogAxis(axis.label(), range.lower(), range.upper(), measured)
                : new ReadableAxis(axis.label(), range.lower(), range.upper(), measured);
    }

    /// The style of an axis: thin line, faint ticks, label at the side.
    <A extends Axis> A styled(A axis) {
        axis.setLabelFont(style.small());
        axis.setLabelPaint(style.muted());
        axis.setTickLabelFont(style.small());
        axis.setTickLabelPaint(style.muted());
        axis.setAxisLinePaint(style.axis());
        axis.setAxisLineStroke(new BasicStroke((float) style.scale()));
        axis.setTickMarkPaint(style.axis());
        axis.setLabelInsets(insets(2, 2, 2, 2));
        return axis;
    }

    private TextTitle text(String content, boolean title, RectangleEdge edge) {
        TextTitle text = new TextTitle(content);
        text.setFont(title ? style.title() : style.small());
        text.setPaint(title ? style.text() : style.muted());
        text.setPosition(edge);
        text.setHorizontalAlignment(HorizontalAlignment.LEFT);
        text.setTextAlignment(HorizontalAlignment.LEFT);
        // Letters of a PDF are a little wider than those by which lines are broken.
        text.setMargin(title ? insets(0, 0, 4, 0) : insets(4, 0, 0, 16));
        return text;
    }

    private LegendTitle legend(Plot plot) {
        LegendTitle legend = new LegendTitle(plot);
        legend.setPosition(RectangleEdge.TOP);
        legend.setHorizontalAlignment(HorizontalAlignment.LEFT);
        legend.setBackgroundPaint(style.background());
        legend.setFrame(BlockBorder.NONE);
        legend.setItemFont(style.small());
        legend.setItemPaint(style.text());
        legend.setItemLabelPadding(insets(1, 3, 1, 10));
        legend.setMargin(insets(0, 0, 4, 0));
        return legend;
    }

    private RectangleInsets insets(double top, double left, double bottom, double right) {
        double s = style.scale();
        return new RectangleInsets(top * s, left * s, bottom * s, right * s);
    }

    /// A plot that fills its grid lines as rectangles: a window drawn in software rasterises each stroked line as a shape.
    static final class GridPlot extends XYPlot {
        private static final long serialVersionUID = 1L;
        private static final double WIDTH = 1;

        @Override
        protected void drawDomainGridlines(Graphics2D g2, Rectangle2D area, List<ValueTick> ticks) {
            if (isDomainGridlinesVisible()) {
                for (double value : majors(ticks)) {
                    double x = getDomainAxis().valueToJava2D(value, area, getDomainAxisEdge());
                    fill(g2, getDomainGridlinePaint(), x - WIDTH / 2, area.getY(), WIDTH, area.getHeight());
                }
            }
        }

        @Override
        protected void drawRangeGridlines(Graphics2D g2, Rectangle2D area, List<ValueTick> ticks) {
            if (isRangeGridlinesVisible()) {
                for (double value : majors(ticks)) {
                    double y = getRangeAxis().valueToJava2D(value, area, getRangeAxisEdge());
                    fill(g2, getRangeGridlinePaint(), area.getX(), y - WIDTH / 2, area.getWidth(), WIDTH);
                }
            }
        }

        private static double[] majors(List<ValueTick> ticks) {
            return ticks.stream().filter(tick -> tick.getTickType() == TickType.MAJOR).mapToDouble(ValueTick::getValue)
                    .toArray();
        }

        private static void fill(Graphics2D g2, Paint paint, double x, double y, double width, double height) {
            g2.setPaint(paint);
            g2.fill(new Rectangle2D.Double(x, y, width, height));
        }
    }
}
