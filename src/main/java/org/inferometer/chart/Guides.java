package org.inferometer.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.inferometer.chart.Letters.TextFit;
import org.inferometer.report.charts.ChartData.Guide;
import org.inferometer.report.charts.ChartData.Shaded;
import org.jfree.chart.annotations.AbstractAnnotation;
import org.jfree.chart.annotations.CategoryAnnotation;
import org.jfree.chart.annotations.XYAnnotation;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.IntervalMarker;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.PlotRenderingInfo;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.ui.Layer;
import org.jfree.chart.ui.RectangleEdge;

/// Draws guides over a plot: a dashed line with its text at the end. One that is outside the axis has its text at that edge.
final class Guides extends AbstractAnnotation implements XYAnnotation, CategoryAnnotation {
    private static final long serialVersionUID = 1L;
    private final transient List<Guide> guides;
    private final transient ChartStyle style;

    private final transient List<Place> marks;

    /// @param marks places of marks, which texts leave free if they can
    Guides(List<Guide> guides, List<Place> marks, ChartStyle style) {
        this.guides = guides;
        this.marks = marks;
        this.style = style;
    }

    /// A place in the units of the axes.
    record Place(double x, double y) {}

    /// The text of a guide and its box.
    record Text(Guide guide, String text, Rectangle2D box) {}

    void addTo(Plot plot) {
        if (guides.isEmpty()) {
            return;
        }
        switch (plot) {
            case XYPlot xy -> {
                for (Guide guide : guides) {
                    if (guide.shaded() != Shaded.NONE && guide.vertical()) {
                        xy.addDomainMarker(shade(guide, xy.getDomainAxis()), Layer.BACKGROUND);
                    } else if (guide.shaded() != Shaded.NONE) {
                        xy.addRangeMarker(shade(guide, xy.getRangeAxis()), Layer.BACKGROUND);
                    }
                }
                xy.addAnnotation(this);
            }
            case CategoryPlot bars -> {
                guides.stream().filter(guide -> !guide.vertical() && guide.shaded() != Shaded.NONE)
                        .forEach(guide -> bars.addRangeMarker(shade(guide, bars.getRangeAxis()), Layer.BACKGROUND));
                bars.addAnnotation(this);
            }
            default -> throw new IllegalArgumentException("A " + plot.getPlotType() + " has no axes for guides.");
        }
    }

    private IntervalMarker shade(Guide guide, ValueAxis axis) {
        double low = guide.shaded() == Shaded.BELOW ? axis.getLowerBound() : guide.value();
        double high = guide.shaded() == Shaded.BELOW ? guide.value() : axis.getUpperBound();
        IntervalMarker marker = new IntervalMarker(Math.min(low, high), Math.max(low, high), style.limitShade());
        marker.setAlpha(1);
        marker.setOutlinePaint(null);
        return marker;
    }

    @Override
    public void draw(Graphics2D g2, XYPlot plot, Rectangle2D area, ValueAxis domain, ValueAxis range, int index,
            PlotRenderingInfo info) {
        draw(g2, area, domain, range);
    }

    @Override
    public void draw(Graphics2D g2, CategoryPlot plot, Rectangle2D area, CategoryAxis domain, ValueAxis range) {
        draw(g2, area, range, range);
    }

    private void draw(Graphics2D g2, Rectangle2D area, ValueAxis domain, ValueAxis range) {
        g2.setStroke(new BasicStroke((float) (1.5 * style.scale()), BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10,
                new float[]{(float) (5 * style.scale()), (float) (4 * style.scale())}, 0));
        for (Guide guide : guides) {
            g2.setPaint(colour(guide));
            line(guide, area, domain, range).ifPresent(g2::draw);
        }
        g2.setFont(style.small());
        Letters letters = new Letters(g2, g2.getFont());
        for (Text text : texts(g2, area, domain, range)) {
            g2.setPaint(style.translucent(style.background(), 0.85));
            g2.fill(text.box());
            g2.setPaint(colour(text.guide()));
            g2.drawString(text.text(), (float) text.box().getMinX(), (float) (text.box().getMinY() + letters.ascent()));
        }
    }

    /// The lines within the plot.
    List<Line2D> lines(Rectangle2D area, ValueAxis domain, ValueAxis range) {
        return guides.stream().flatMap(guide -> line(guide, area, domain, range).stream()).toList();
    }

    private static Optional<Line2D> line(Guide guide, Rectangle2D area, ValueAxis domain, ValueAxis range) {
        double at = place(guide, area, domain, range);
        if (guide.vertical()) {
            return at >= area.getMinX() && at <= area.getMaxX()
                    ? Optional.of(new Line2D.Double(at, area.getMinY(), at, area.getMaxY())) : Optional.empty();
        }
        return at >= area.getMinY() && at <= area.getMaxY()
                ? Optional.of(new Line2D.Double(area.getMinX(), at, area.getMaxX(), at)) : Optional.empty();
    }

    /// The text, with an arrow if the line is outside the axis.
    private static String text(Guide guide, ValueAxis axis) {
        if (guide.value() > axis.getUpperBound()) {
            return guide.text() + (guide.vertical() ? " →" : " ↑");
        }
        return guide.value() >= axis.getLowerBound() ? guide.text() : guide.vertical() ? "← " + guide.text()
                : guide.text() + " ↓";
    }

    private Color colour(Guide guide) {
        return guide.shaded() == Shaded.NONE ? style.muted() : style.limit();
    }

    private static double place(Guide guide, Rectangle2D area, ValueAxis domain, ValueAxis range) {
        return guide.vertical() ? domain.valueToJava2D(guide.value(), area, RectangleEdge.BOTTOM)
                : range.valueToJava2D(guide.value(), area, RectangleEdge.LEFT);
    }

    /// The texts at their places: within the plot, beside the lines, and none over another.
    List<Text> texts(Graphics2D g2, Rectangle2D area, ValueAxis domain, ValueAxis range) {
        Letters letters = new Letters(g2, style.small());
        double height = letters.height();
        double gap = 4 * style.scale();
        TextFit fit = new TextFit(letters, area.getWidth() - 2 * gap, 1);
        List<Rectangle2D> taken = marks.stream().map(mark -> around(mark, area, domain, range)).toList();
        List<Text> texts = new ArrayList<>();
        for (Guide guide : guides) {
            double place = place(guide, area, domain, range);
            if (guide.text().isEmpty() || Double.isNaN(place)) {
                continue;
            }
            String text = fit.lines(text(guide, guide.vertical() ? domain : range)).getFirst();
            double width = letters.width(text);
            List<Rectangle2D> boxes = new ArrayList<>();
            for (double step = 0; step < area.getHeight(); step += height) {
                for (double[] corner : corners(guide, place, area, width, height, gap, step)) {
                    boxes.add(new Rectangle2D.Double(Math.clamp(corner[0], area.getMinX(), area.getMaxX() - width),
                            Math.clamp(corner[1], area.getMinY(), area.getMaxY() - height), width, height));
                }
            }
            List<Rectangle2D> free = boxes.stream()
                    .filter(some -> texts.stream().noneMatch(other -> other.box().intersects(some))).toList();
            Rectangle2D box = free.stream().filter(some -> taken.stream().noneMatch(some::intersects)).findFirst()
                    .orElse(free.isEmpty() ? boxes.getFirst() : free.getFirst());
            texts.add(new Text(guide, text, box));
        }
        return texts;
    }

    private Rectangle2D around(Place mark, Rectangle2D area, ValueAxis domain, ValueAxis range) {
        double r = 6 * style.scale();
        return new Rectangle2D.Double(domain.valueToJava2D(mark.x(), area, RectangleEdge.BOTTOM) - r,
                range.valueToJava2D(mark.y(), area, RectangleEdge.LEFT) - r, 2 * r, 2 * r);
    }

    /// Corners to try: the side of the line with room first, at its end, then further along it.
    private static double[][] corners(Guide guide, double place, Rectangle2D area, double width, double height,
            double gap, double step) {
        if (guide.vertical()) {
            double right = place + gap;
            double left = place - gap - width;
            double top = area.getMinY() + gap / 2 + step;
            boolean fits = right + width <= area.getMaxX();
            return new double[][]{{fits ? right : left, top}, {fits ? left : right, top}};
        }
        double above = place - height - 1;
        double below = place + 1;
        double end = area.getMaxX() - gap - width;
        double along = end - step * 4;
        boolean fits = above >= area.getMinY();
        return new double[][]{{along, fits ? above : below}, {along, fits ? below : above}};
    }
}
