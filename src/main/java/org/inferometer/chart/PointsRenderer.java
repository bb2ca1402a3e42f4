package org.inferometer.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.inferometer.chart.PathRenderer.PlotPainter;
import org.inferometer.chart.PathRenderer.PlotTransform;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Point;
import org.inferometer.report.charts.ChartData.PointSeries;
import org.inferometer.report.charts.ChartData.Span;
import org.jfree.chart.plot.XYPlot;

/// Draws points of two letters: runs as faint dots, intervals as crosses, joined points with a line, marks, and labels that do not overlap.
record PointsRenderer(List<PointSeries> series, Guides guides, ChartStyle style) implements PlotPainter {
    private static final double MARK_RADIUS = 5;

    XYPlot plot(ChartData data) {
        List<Point> points = series.stream().flatMap(each -> each.points().stream()).toList();
        XYPlot plot = new ChartFrame(style).plot(data, ChartRanges.marked(data.x(),
                points.stream().flatMap(point -> Stream.of(new double[]{point.x()}, point.xSpan().ends(), point.runX()))
                        .toList()),
                ChartRanges.marked(data.y(),
                        points.stream()
                                .flatMap(
                                        point -> Stream.of(new double[]{point.y()}, point.ySpan().ends(), point.runY()))
                                .toList()));
        PathRenderer.draw(plot, 0, !points.isEmpty(), this);
        plot.setFixedLegendItems(new ChartLegends(style).points(series));
        return plot;
    }

    /// Draws all series at once: marks lie over the runs and lines of every series.
    @Override
    public void draw(Graphics2D g2, PlotTransform transform) {
        LabelPlacer labels = new LabelPlacer(transform.area());
        guides.texts(g2, transform.area(), transform.domain(), transform.range())
                .forEach(text -> labels.block(text.box()));
        guides.lines(transform.area(), transform.domain(), transform.range()).forEach(labels::avoid);
        for (PointSeries each : series) {
            each.points().forEach(point -> runs(g2, point, style.series(each.style()), transform));
            each.points().forEach(point -> intervals(g2, point, style.series(each.style()), transform, labels));
            if (each.joined()) {
                join(g2, each, transform, labels);
            }
        }
        Markers markers = new Markers(style, MARK_RADIUS);
        double r = (MARK_RADIUS + 2) * style.scale();
        for (PointSeries each : series) {
            for (Point point : each.points()) {
                double x = transform.x(point.x());
                double y = transform.y(point.y());
                if (Double.isFinite(x) && Double.isFinite(y)) {
                    markers.draw(g2, each.style(), x, y);
                    labels.block(new Rectangle2D.Double(x - r, y - r, 2 * r, 2 * r));
                }
            }
        }
        series.forEach(each -> each.points().forEach(point -> label(g2, point, transform, labels)));
    }

    private void runs(Graphics2D g2, Point point, Color colour, PlotTransform transform) {
        g2.setPaint(style.translucent(colour, 0.45));
        double r = 2.2 * style.scale();
        for (int i = 0; i < point.runX().length; i++) {
            double x = transform.x(point.runX()[i]);
            double y = transform.y(point.runY()[i]);
            if (Double.isFinite(x) && Double.isFinite(y)) {
                g2.fill(new Ellipse2D.Double(x - r, y - r, 2 * r, 2 * r));
            }
        }
    }

    private void intervals(Graphics2D g2, Point point, Color colour, PlotTransform transform, LabelPlacer labels) {
        g2.setPaint(colour);
        g2.setStroke(new BasicStroke((float) (1.4 * style.scale()), BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER));
        double x = transform.x(point.x());
        double y = transform.y(point.y());
        Span across = point.xSpan();
        Span down = point.ySpan();
        if (across.isPresent()) {
            line(g2, labels,
                    new Line2D.Double(transform.withinX(across.low()), y, transform.withinX(across.high()), y));
        }
        if (down.isPresent()) {
            line(g2, labels, new Line2D.Double(x, transform.withinY(down.low()), x, transform.withinY(down.high())));
        }
    }

    private void join(Graphics2D g2, PointSeries own, PlotTransform transform, LabelPlacer labels) {
        g2.setPaint(style.series(own.style()));
        g2.setStroke(style.line(own.style()));
        for (int i = 1; i < own.points().size(); i++) {
            Point from = own.points().get(i - 1);
            Point to = own.points().get(i);
            line(g2, labels, new Line2D.Double(transform.x(from.x()), transform.y(from.y()), transform.x(to.x()),
                    transform.y(to.y())));
        }
    }

    private static void line(Graphics2D g2, LabelPlacer labels, Line2D line) {
        if (Double.isFinite(line.getX1() + line.getY1() + line.getX2() + line.getY2())) {
            g2.draw(line);
            labels.avoid(line);
        }
    }

    private void label(Graphics2D g2, Point point, PlotTransform transform, LabelPlacer labels) {
        double x = transform.x(point.x());
        double y = transform.y(point.y());
        if (point.label().isEmpty() || !Double.isFinite(x + y)) {
            return;
        }
        g2.setFont(style.small());
        Letters letters = new Letters(g2, g2.getFont());
        double gap = (MARK_RADIUS + 2.5) * style.scale();
        labels.place(x, y, letters.width(point.label()), letters.height(), gap).ifPresent(box -> {
            Line2D leader = LabelPlacer.leader(box, x, y);
            double away = leader.getP1().distance(leader.getP2());
            if (away > 2 * gap) {
                g2.setPaint(style.axis());
                g2.setStroke(style.thin());
                double start = gap / away;
                g2.draw(new Line2D.Double(x + (leader.getX2() - x) * start, y + (leader.getY2() - y) * start,
                        leader.getX2(), leader.getY2()));
            }
            if (labels.crossed(box)) {
                g2.setPaint(style.translucent(style.background(), 0.7));
                g2.fill(box);
            }
            g2.setPaint(style.text());
            g2.drawString(point.label(), (float) box.getMinX(), (float) (box.getMinY() + letters.ascent()));
        });
    }

    /// Finds places for labels beside points: within the plot and beside all marks and labels so far, and off lines where that is possible.
    static final class LabelPlacer {
        private static final double[][] DIRECTIONS =
                {{1, -1}, {1, 1}, {-1, -1}, {-1, 1}, {1, 0}, {-1, 0}, {0, -1}, {0, 1}};
        private static final int RINGS = 5;
        private final Rectangle2D area;
        private final List<Rectangle2D> taken = new ArrayList<>();
        private final List<Rectangle2D> labels = new ArrayList<>();
        private final List<Line2D> lines = new ArrayList<>();

        LabelPlacer(Rectangle2D area) {
            this.area = area;
        }

        /// Keeps labels off a mark.
        void block(Rectangle2D mark) {
            taken.add(mark);
        }

        /// Keeps labels off a line if there is another place.
        void avoid(Line2D line) {
            lines.add(line);
        }

        /// Whether a line passes through a box.
        boolean crossed(Rectangle2D box) {
            return lines.stream().anyMatch(box::intersectsLine);
        }

        /// The box of a label, which is then taken; empty if there is no place.
        ///
        /// @param gap between the point and the label at least
        Optional<Rectangle2D> place(double x, double y, double width, double height, double gap) {
            Rectangle2D best = null;
            for (int ring = 0; ring < RINGS; ring++) {
                for (double[] direction : DIRECTIONS) {
                    double away = gap * (direction[0] == 0 || direction[1] == 0 ? 1.3 : 1) + ring * height * 0.8;
                    double left = x + direction[0] * away - (1 - direction[0]) / 2 * width;
                    double top = y + direction[1] * away - (1 - direction[1]) / 2 * height;
                    Rectangle2D box = new Rectangle2D.Double(left, top, width, height);
                    if (area.contains(box) && isFree(box) && isReached(box, x, y)) {
                        if (!crossed(box)) {
                            take(box);
                            return Optional.of(box);
                        }
                        best = best == null ? box : best;
                    }
                }
            }
            Optional<Rectangle2D> found = Optional.ofNullable(best).or(() -> nearest(x, y, width, height, true))
                    .or(() -> nearest(x, y, width, height, false));
            found.ifPresent(this::take);
            return found;
        }

        private void take(Rectangle2D box) {
            taken.add(box);
            labels.add(box);
        }

        private boolean isFree(Rectangle2D box) {
            return taken.stream().noneMatch(box::intersects);
        }

        /// Whether a line from the point to its label crosses no other label.
        private boolean isReached(Rectangle2D box, double x, double y) {
            Line2D leader = leader(box, x, y);
            return labels.stream().noneMatch(leader::intersects);
        }

        /// The shortest line from a point to a box.
        static Line2D leader(Rectangle2D box, double x, double y) {
            return new Line2D.Double(x, y, Math.clamp(x, box.getMinX(), box.getMaxX()),
                    Math.clamp(y, box.getMinY(), box.getMaxY()));
        }

        /// The free box nearest to a point, anywhere in the plot.
        private Optional<Rectangle2D> nearest(double x, double y, double width, double height, boolean reached) {
            Rectangle2D nearest = null;
            double least = Double.POSITIVE_INFINITY;
            for (double top = area.getMinY(); top + height <= area.getMaxY(); top += height / 3) {
                for (double left = area.getMinX(); left + width <= area.getMaxX(); left += height / 2) {
                    Rectangle2D box = new Rectangle2D.Double(left, top, width, height);
                    double away = Math.hypot(box.getCenterX() - x, box.getCenterY() - y);
                    if (away < least && isFree(box) && (!reached || isReached(box, x, y))) {
                        nearest = box;
                        least = away;
                    }
                }
            }
            return Optional.ofNullable(nearest);
        }
    }
}
