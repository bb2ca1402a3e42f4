package org.inferometer.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.inferometer.chart.PathRenderer.PlotTransform;
import org.inferometer.chart.ReadableAxis.ReadableLogAxis;
import org.inferometer.chart.RowCharts.NameAxis;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.Ratio;
import org.inferometer.report.charts.ChartData.Tone;
import org.inferometer.units.QuantityText;
import org.jfree.chart.axis.AxisSpace;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.axis.TickType;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.PlotRenderingInfo;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;

/// The chart of ratios to a baseline: a row each, with its outcome at the right.
record RatioChart(ChartStyle style) {
    /// Ratios of 0.91 to 1.1 are always on the axis.
    private static final double LEAST_REACH = 1.1;

    XYPlot plot(ChartData data, Marks.Ratios marks) {
        List<double[]> reach = new ArrayList<>();
        reach.add(new double[]{1 / LEAST_REACH, LEAST_REACH});
        for (Ratio row : marks.rows()) {
            reach.add(row.runs());
            reach.add(row.span().ends());
            reach.add(new double[]{row.value()});
        }
        ChartData.Axis axis = new ChartData.Axis(data.x().label(), true, data.x().lower(), data.x().upper());
        ChartRanges range = ChartRanges.marked(axis, reach).with(axis, data.guides(), true);
        NameAxis names = new NameAxis("", marks.rows().stream().map(Ratio::name).toList(), true);
        XYPlot plot = new RowCharts(style).rows(new RatioAxis(data.x().label(), range), names);
        plot.setRangeAxis(1, new OutcomeAxis(marks.rows(), style));
        PathRenderer.draw(plot, 0, !marks.rows().isEmpty(), (g2, transform) -> draw(g2, marks.rows(), transform));
        return plot;
    }

    /// Draws a row per metric: a faint dot per run, the interval, and the ratio as a mark; hollow where no difference was detected.
    private void draw(Graphics2D g2, List<Ratio> rows, PlotTransform transform) {
        g2.setPaint(style.text());
        g2.setStroke(new BasicStroke((float) (1.6 * style.scale())));
        double one = transform.x(1);
        g2.draw(new Line2D.Double(one, transform.area().getMinY(), one, transform.floor()));
        for (int i = 0; i < rows.size(); i++) {
            double pitch = Math.abs(transform.y(1) - transform.y(0));
            ratio(g2, rows.get(i), transform.y(i), pitch, transform);
        }
    }

    private void ratio(Graphics2D g2, Ratio row, double y, double pitch, PlotTransform transform) {
        Color colour = style.tone(row.tone());
        g2.setPaint(style.translucent(colour, 0.4));
        double dot = 2 * style.scale();
        for (int r = 0; r < row.runs().length; r++) {
            if (row.runs()[r] > 0) {
                // Spread over the row, so that equal runs stay apart.
                double shift = ((r * 0.618 + 0.31) % 1 - 0.5) * Math.min(pitch * 0.5, 14 * style.scale());
                double x = transform.x(row.runs()[r]);
                g2.fill(new Ellipse2D.Double(x - dot, y + shift - dot, 2 * dot, 2 * dot));
            }
        }
        if (!(row.value() > 0)) {
            return;
        }
        g2.setPaint(colour);
        if (row.span().isPresent()) {
            g2.setStroke(new BasicStroke((float) (2.4 * style.scale()), BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER));
            double low = transform.withinX(row.span().low());
            double high = transform.withinX(row.span().high());
            g2.draw(new Line2D.Double(low, y, high, y));
        }
        double r = 4.6 * style.scale();
        double x = transform.x(row.value());
        Ellipse2D mark = new Ellipse2D.Double(x - r, y - r, 2 * r, 2 * r);
        g2.setPaint(style.background());
        g2.setStroke(new BasicStroke((float) (3.4 * style.scale())));
        g2.draw(mark);
        g2.setPaint(row.tone() == Tone.NEUTRAL ? style.background() : colour);
        g2.fill(mark);
        g2.setPaint(colour);
        g2.setStroke(new BasicStroke((float) (1.6 * style.scale())));
        g2.draw(mark);
    }

    /// The outcome of each row at the right of the plot. The ratio in figures stands beside it if the plot keeps most of the width, else below
    /// it; it is left out if there is no room for either.
    static final class OutcomeAxis extends NumberAxis {
        private static final long serialVersionUID = 1L;
        private static final double PLOT_SHARE = 0.6;
        private static final double LEAST_PLOT_SHARE = 0.28;
        private static final double LINES_AROUND = 4;
        private final transient List<Ratio> rows;
        private final transient ChartStyle style;

        OutcomeAxis(List<Ratio> rows, ChartStyle style) {
            super(null);
            this.rows = rows;
            this.style = style;
            setRange(-0.5, Math.max(1, rows.size()) - 0.5);
            setInverted(true);
            setAutoTickUnitSelection(false, false);
        }

        @Override
        public AxisSpace reserveSpace(Graphics2D g2, Plot plot, Rectangle2D area, RectangleEdge edge, AxisSpace space) {
            Letters letters = new Letters(g2, style.small());
            double height = (area.getHeight() - LINES_AROUND * letters.height()) / rows.size();
            space.add(Math.ceil(width(letters, area.getWidth(), space.getLeft(), height >= 2 * letters.height()))
                    + gap(letters), edge);
            return space;
        }

        /// @param whole width of the chart
        /// @param names width of the names of the rows
        private double width(Letters letters, double whole, double names, boolean twoLines) {
            double beside = widest(row -> beside(row, letters));
            double room = whole - names - gap(letters);
            if (beside <= room - whole * PLOT_SHARE) {
                return beside;
            }
            if (twoLines) {
                return widest(row -> Math.max(outcome(row, letters), letters.width(row.text())));
            }
            double most = room - whole * LEAST_PLOT_SHARE;
            return beside <= most ? beside : Math.max(widest(row -> outcome(row, letters)),
                    Math.min(most, widest(row -> row.tone() == Tone.NEUTRAL ? 0 : beside(row, letters))));
        }

        @Override
        public AxisState draw(Graphics2D g2, double cursor, Rectangle2D area, Rectangle2D data, RectangleEdge edge,
                PlotRenderingInfo info) {
            g2.setFont(style.small());
            Letters letters = new Letters(g2, g2.getFont());
            double left = cursor + gap(letters);
            double right = area.getMaxX();
            boolean allBeside = left + widest(row -> beside(row, letters)) <= right + 1;
            boolean twoLines = !allBeside && data.getHeight() / rows.size() >= 2 * letters.height();
            for (int i = 0; i < rows.size(); i++) {
                Ratio row = rows.get(i);
                double middle = valueToJava2D(i, data, edge);
                double text = letters.width(row.text());
                boolean beside = !twoLines && left + beside(row, letters) <= right + 1;
                double down = twoLines && !row.text().isEmpty() ? letters.height() / 2.0 : 0;
                outcome(g2, row, left, middle - down);
                if (!row.text().isEmpty() && (beside || twoLines)) {
                    g2.setPaint(style.muted());
                    g2.drawString(row.text(), (float) (beside ? right - text : left),
                            (float) (letters.baseline(middle) + down));
                }
            }
            return new AxisState(right);
        }

        private void outcome(Graphics2D g2, Ratio row, double left, double middle) {
            Letters letters = new Letters(g2, g2.getFont());
            g2.setPaint(style.tone(row.tone()));
            double arrow = arrow(row, letters);
            if (arrow > 0) {
                double size = letters.ascent() * 0.32;
                double up = row.value() >= 1 ? -size : size;
                Path2D.Double path = new Path2D.Double();
                path.moveTo(left + size, middle + up);
                path.lineTo(left, middle - up);
                path.lineTo(left + 2 * size, middle - up);
                path.closePath();
                g2.fill(path);
            }
            g2.drawString(row.outcome(), (float) (left + arrow), letters.baseline(middle));
        }

        private double widest(ToDoubleFunction<Ratio> width) {
            return rows.stream().mapToDouble(width).max().orElse(0);
        }

        private static double beside(Ratio row, Letters letters) {
            return outcome(row, letters) + gap(letters) + letters.width(row.text());
        }

        private static double outcome(Ratio row, Letters letters) {
            return arrow(row, letters) + letters.width(row.outcome());
        }

        /// The room of the arrow up or down, which only a difference has.
        private static double arrow(Ratio row, Letters letters) {
            return row.tone() == Tone.NEUTRAL || Double.isNaN(row.value()) ? 0 : letters.ascent();
        }

        private static double gap(Letters letters) {
            return letters.height() * 0.6;
        }
    }

    /// A logarithmic axis of ratios with "less" and "more" at its ends. Ticks are powers of two, over wide and narrow ranges other round
    /// numbers.
    static final class RatioAxis extends LogAxis {
        private static final long serialVersionUID = 1L;
        private static final double NARROW_OCTAVES = 1.2;
        private static final double WIDE_OCTAVES = 7;
        private static final String LESS = "less";
        private static final String MORE = "more";

        RatioAxis(String label, ChartRanges range) {
            super(label.isEmpty() ? null : label);
            setRange(range.lower(), range.upper());
            setSmallestValue(range.lower() / 10);
        }

        @Override
        public List<NumberTick> refreshTicks(Graphics2D g2, AxisState state, Rectangle2D dataArea, RectangleEdge edge) {
            double label = new Letters(g2, getTickLabelFont()).width("0.00×") * 1.3;
            List<NumberTick> ticks = new ArrayList<>();
            for (double value : values(getLowerBound(), getUpperBound(), (int) (dataArea.getWidth() / label))) {
                ticks.add(new NumberTick(TickType.MAJOR, value, text(value), TextAnchor.TOP_CENTER, TextAnchor.CENTER,
                        0));
            }
            return ticks;
        }

        /// @param most labels that fit
        static List<Double> values(double lower, double upper, int most) {
            double octaves = Math.log(upper / lower) / Math.log(2);
            if (octaves < NARROW_OCTAVES || octaves > WIDE_OCTAVES || octaves + 1 > most) {
                return ReadableLogAxis.values(lower, upper, Math.max(2, most));
            }
            List<Double> values = new ArrayList<>();
            int first = (int) Math.ceil(Math.log(lower) / Math.log(2) - 1e-9);
            for (int k = first; Math.pow(2, k) <= upper * (1 + 1e-9); k++) {
                values.add(Math.pow(2, k));
            }
            return values;
        }

        /// "0.5×", "0.063×", "16×".
        static String text(double ratio) {
            String digits = String.format(Locale.ROOT, ratio >= 9.995 ? "%.0f" : ratio >= 0.1 ? "%.2f" : "%.3f", ratio);
            return QuantityText.withoutTrailingZeros(digits) + "×";
        }

        @Override
        public AxisSpace reserveSpace(Graphics2D g2, Plot plot, Rectangle2D area, RectangleEdge edge, AxisSpace space) {
            AxisSpace reserved = super.reserveSpace(g2, plot, area, edge, space);
            reserved.add(new Letters(g2, getTickLabelFont()).height() * 1.25, RectangleEdge.TOP);
            return reserved;
        }

        @Override
        public AxisState draw(Graphics2D g2, double cursor, Rectangle2D area, Rectangle2D data, RectangleEdge edge,
                PlotRenderingInfo info) {
            g2.setFont(getTickLabelFont());
            g2.setPaint(getTickLabelPaint());
            Letters letters = new Letters(g2, g2.getFont());
            double base = data.getMinY() - letters.descent() - letters.height() * 0.15;
            double arrow = letters.ascent() * 0.55;
            double middle = base - letters.ascent() * 0.36;
            g2.fill(triangle(data.getMinX(), middle, arrow, -1));
            g2.drawString(LESS, (float) (data.getMinX() + arrow * 1.5), (float) base);
            g2.fill(triangle(data.getMaxX(), middle, arrow, 1));
            g2.drawString(MORE, (float) (data.getMaxX() - arrow * 1.5 - letters.width(MORE)), (float) base);
            return super.draw(g2, cursor, area, data, edge, info);
        }

        /// @param tip x of its point
        /// @param direction −1 points to the left, 1 to the right
        private static Path2D triangle(double tip, double middle, double size, int direction) {
            Path2D.Double path = new Path2D.Double();
            path.moveTo(tip, middle);
            path.lineTo(tip - direction * size, middle - size * 0.6);
            path.lineTo(tip - direction * size, middle + size * 0.6);
            path.closePath();
            return path;
        }
    }
}
