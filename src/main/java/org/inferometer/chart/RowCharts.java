package org.inferometer.chart;

import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import org.inferometer.chart.ChartStyle.Contrast;
import org.inferometer.chart.Letters.TextFit;
import org.inferometer.chart.PathRenderer.PlotTransform;
import org.inferometer.record.MemoryOwner;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Layer;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.units.QuantityText;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.axis.AxisSpace;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.PlotRenderingInfo;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.ui.RectangleEdge;

/// Charts of named rows: memory bars, heat maps.
record RowCharts(ChartStyle style) {
    /// Room for the total beyond the longest bar.
    private static final double TOTAL_ROOM = 0.14;
    private static final double HIGHEST_PIXELS = 30;
    private static final double LOGARITHMIC_FROM = 20;
    private static final double SMALLEST_FONT_SHARE = 0.72;

    XYPlot ownerBars(ChartData data, Marks.OwnerBars marks) {
        double[] totals = totals(marks.categories().size(), marks.layers());
        ChartData.Axis axis = new ChartData.Axis(data.x().label(), false, 0, data.x().upper());
        ChartRanges range = ChartRanges.tight(axis, List.of(totals));
        if (Double.isNaN(axis.upper())) {
            range = new ChartRanges(0, range.upper() * (1 + TOTAL_ROOM)).with(axis, data.guides(), true);
        }
        XYPlot plot = rows(ChartFrame.valueAxis(axis, range), new NameAxis(data.y().label(), marks.categories(), true));
        PathRenderer.draw(plot, 0, totals.length > 0 && !marks.layers().isEmpty(),
                (g2, transform) -> ownerBars(g2, totals, marks.layers(), transform));
        plot.setFixedLegendItems(new ChartLegends(style).layers(marks.layers()));
        return plot;
    }

    XYPlot heatMap(ChartData data, Marks.HeatMap marks) {
        XYPlot plot = rows(new NameAxis(data.x().label(), marks.columns(), false),
                new NameAxis(data.y().label(), marks.rows(), true));
        plot.setDomainGridlinesVisible(false);
        PathRenderer.draw(plot, 0, !marks.rows().isEmpty() && !marks.columns().isEmpty(),
                (g2, transform) -> heatMap(g2, marks, transform));
        return plot;
    }

    XYPlot rows(ValueAxis x, NameAxis y) {
        XYPlot plot = new ChartFrame(style).grid(x, y);
        plot.setRangeGridlinesVisible(false);
        y.setTickLabelPaint(style.text());
        if (x instanceof NameAxis) {
            x.setTickLabelPaint(style.text());
        }
        plot.setFixedLegendItems(new LegendItemCollection());
        return plot;
    }

    /// The sum of the layers of each category; NaN if none has a value.
    private static double[] totals(int categories, List<Layer> layers) {
        double[] totals = new double[categories];
        for (int c = 0; c < categories; c++) {
            int category = c;
            double[] known =
                    layers.stream().mapToDouble(layer -> layer.y()[category]).filter(Double::isFinite).toArray();
            totals[c] = known.length == 0 ? Double.NaN : Arrays.stream(known).sum();
        }
        return totals;
    }

    /// Draws a horizontal bar per category, stacked by memory owner, with its total at the end.
    private void ownerBars(Graphics2D g2, double[] totals, List<Layer> layers, PlotTransform transform) {
        g2.setFont(style.small());
        Letters letters = new Letters(g2, g2.getFont());
        double pitch = Math.abs(transform.y(1) - transform.y(0));
        double height = Math.min(pitch * 0.66, HIGHEST_PIXELS * style.scale());
        for (int c = 0; c < totals.length; c++) {
            double top = transform.y(c) - height / 2;
            double sum = 0;
            for (Layer layer : layers) {
                double value = layer.y()[c];
                if (value > 0) {
                    segment(g2, layer, layers.size() > 1, value, new Rectangle2D.Double(transform.x(sum), top,
                            transform.x(sum + value) - transform.x(sum), height));
                    sum += value;
                }
            }
            g2.setPaint(style.axis());
            g2.setStroke(style.thin());
            g2.draw(new Rectangle2D.Double(transform.x(0), top, transform.x(sum) - transform.x(0), height));
            total(g2, Double.isNaN(totals[c]) ? "–" : QuantityText.significant(totals[c]), transform.x(sum),
                    transform.area().getMaxX(), top + height / 2, letters);
        }
    }

    private void segment(Graphics2D g2, Layer layer, boolean several, double value, Rectangle2D box) {
        style.fillMemory(g2, box, layer.memorySlot());
        g2.setPaint(style.background());
        g2.setStroke(style.thin());
        g2.draw(box);
        String text = QuantityText.significant(value);
        Letters letters = new Letters(g2, g2.getFont());
        boolean readable = layer.memorySlot() != MemoryOwner.UNATTRIBUTED.ordinal();
        if (readable && several && letters.width(text) * 1.3 < box.getWidth() && letters.height() < box.getHeight()) {
            Color own = new Contrast(style.memory(layer.memorySlot())).text();
            g2.setPaint(own);
            g2.drawString(text, (float) (box.getCenterX() - letters.width(text) / 2.0),
                    letters.baseline(box.getCenterY()));
        }
    }

    /// Right of the bar; within it, on a patch of background, if the bar reaches the end of the axis.
    private void total(Graphics2D g2, String text, double end, double most, double middle, Letters letters) {
        double gap = 4 * style.scale();
        double width = letters.width(text);
        boolean outside = end + gap + width <= most;
        double left = outside ? end + gap : Math.min(end, most) - gap - width;
        if (!outside) {
            g2.setPaint(style.translucent(style.background(), 0.85));
            g2.fill(new Rectangle2D.Double(left - gap / 2, middle - letters.height() / 2.0, width + gap,
                    letters.height()));
        }
        g2.setPaint(style.text());
        g2.drawString(text, (float) left, letters.baseline(middle));
    }

    /// Draws a cell per pair of a column and a row, in a ramp of one hue, with its text. The ramp is logarithmic over a factor of 20 or more.
    private void heatMap(Graphics2D g2, Marks.HeatMap map, PlotTransform transform) {
        DoubleSummaryStatistics range = Arrays.stream(map.values()).flatMapToDouble(Arrays::stream)
                .filter(Double::isFinite).summaryStatistics();
        for (int row = 0; row < map.rows().size(); row++) {
            for (int column = 0; column < map.columns().size(); column++) {
                double left = transform.x(column - 0.5);
                double top = transform.y(row - 0.5);
                double gap = style.scale();
                cell(g2, map.values()[row][column], map.texts().get(row).get(column), range,
                        new Rectangle2D.Double(left + gap, top + gap, transform.x(column + 0.5) - left - 2 * gap,
                                transform.y(row + 0.5) - top - 2 * gap));
            }
        }
    }

    private void cell(Graphics2D g2, double value, String text, DoubleSummaryStatistics range, Rectangle2D box) {
        if (Double.isFinite(value)) {
            Color fill = style.ramp(share(value, range));
            g2.setPaint(fill);
            g2.fill(box);
            text(g2, text, box, new Contrast(fill).text());
            return;
        }
        style.hatched(g2, box, style.grid());
        Rectangle2D middle = new Rectangle2D.Double(box.getCenterX() - 9 * style.scale(),
                box.getCenterY() - 7 * style.scale(), 18 * style.scale(), 14 * style.scale());
        g2.setPaint(style.background());
        g2.fill(middle);
        text(g2, "–", box, style.muted());
    }

    /// Centred, in a smaller font if need be; a cell that is still too small has none.
    private void text(Graphics2D g2, String text, Rectangle2D box, Color colour) {
        for (double share = 1; share >= SMALLEST_FONT_SHARE; share -= 0.07) {
            Font font = style.label().deriveFont((float) (style.label().getSize2D() * share));
            Letters letters = new Letters(g2, font);
            if (letters.width(text) <= box.getWidth() - 4 * style.scale() && letters.ascent() <= box.getHeight()) {
                g2.setFont(font);
                g2.setPaint(colour);
                g2.drawString(text, (float) (box.getCenterX() - letters.width(text) / 2.0),
                        letters.baseline(box.getCenterY()));
                return;
            }
        }
    }

    static double share(double value, DoubleSummaryStatistics range) {
        if (range.getMax() <= range.getMin()) {
            return 0.5;
        }
        boolean logarithmic = range.getMin() > 0 && range.getMax() / range.getMin() >= LOGARITHMIC_FROM;
        return logarithmic ? Math.log(value / range.getMin()) / Math.log(range.getMax() / range.getMin())
                : (value - range.getMin()) / (range.getMax() - range.getMin());
    }

    /// An axis of names at 0, 1, 2 and so on: rows from the top at the left, or columns at the bottom. Long names break into lines.
    static final class NameAxis extends NumberAxis {
        private static final long serialVersionUID = 1L;
        private static final double WIDEST_SHARE = 0.36;
        private static final int MOST_LINES = 3;
        private final transient List<String> names;

        NameAxis(String label, List<String> names, boolean rows) {
            super(label.isEmpty() ? null : label);
            this.names = names;
            setRange(-0.5, Math.max(1, names.size()) - 0.5);
            setInverted(rows);
            setAutoTickUnitSelection(false, false);
        }

        @Override
        public AxisSpace reserveSpace(Graphics2D g2, Plot plot, Rectangle2D area, RectangleEdge edge, AxisSpace space) {
            Letters letters = new Letters(g2, getTickLabelFont());
            Rectangle2D label = getLabelEnclosure(g2, edge);
            if (RectangleEdge.isLeftOrRight(edge)) {
                // Ticks, titles and footers are below: the rows get about four fifths.
                TextFit fit = fit(letters, area.getWidth() * WIDEST_SHARE, area.getHeight() * 0.8 / names.size());
                double widest = names.stream().mapToDouble(name -> fit.widest(fit.lines(name))).max().orElse(0);
                space.add(label.getWidth() + Math.ceil(widest) + gap(letters), edge);
            } else {
                TextFit fit = new TextFit(letters, area.getWidth() * 0.94 / names.size(), MOST_LINES);
                int lines = names.stream().mapToInt(name -> fit.lines(name).size()).max().orElse(0);
                space.add(label.getHeight() + lines * letters.height() + gap(letters), edge);
            }
            return space;
        }

        @Override
        public AxisState draw(Graphics2D g2, double cursor, Rectangle2D area, Rectangle2D data, RectangleEdge edge,
                PlotRenderingInfo info) {
            g2.setFont(getTickLabelFont());
            g2.setPaint(getTickLabelPaint());
            Letters letters = new Letters(g2, g2.getFont());
            boolean rows = RectangleEdge.isLeftOrRight(edge);
            Rectangle2D label = getLabelEnclosure(g2, edge);
            double width = rows ? cursor - area.getMinX() - label.getWidth() - gap(letters)
                    : data.getWidth() * 0.96 / names.size();
            TextFit fit = rows ? fit(letters, width + 1, data.getHeight() / names.size())
                    : new TextFit(letters, width, MOST_LINES);
            double reached = 0;
            for (int i = 0; i < names.size(); i++) {
                List<String> lines = fit.lines(names.get(i));
                double at = valueToJava2D(i, data, edge);
                double top = rows ? at - lines.size() * letters.height() / 2.0 : cursor + gap(letters) / 2;
                for (int l = 0; l < lines.size(); l++) {
                    double own = letters.width(lines.get(l));
                    double left = rows ? cursor - gap(letters) - own : at - own / 2;
                    g2.drawString(lines.get(l), (float) left, (float) (top + l * letters.height() + letters.ascent()));
                    reached = Math.max(reached, rows ? own : (l + 1) * letters.height());
                }
            }
            AxisState state = new AxisState(
                    rows ? cursor - gap(letters) - reached - gap(letters) / 2 : cursor + gap(letters) / 2 + reached);
            return drawLabel(getLabel(), g2, area, data, edge, state);
        }

        private static TextFit fit(Letters letters, double width, double height) {
            return new TextFit(letters, width, Math.clamp((long) (height / letters.height()), 1, MOST_LINES));
        }

        private static double gap(Letters letters) {
            return letters.height() * 0.5;
        }
    }
}
