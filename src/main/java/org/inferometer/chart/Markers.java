package org.inferometer.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Shape;
import java.awt.geom.AffineTransform;
import java.awt.geom.Area;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import org.inferometer.report.charts.ChartData.Dash;
import org.inferometer.report.charts.ChartData.SeriesStyle;

/// Markers of series: the shape is the slot's, its inside shows the precision.
///
/// Filled for solid lines, hollow for long dashes, filled in the lower half for dashes and dots, filled with a hole for dotted lines.
final class Markers {
    private static final double HOLE_SHARE = 0.42;
    /// What is left of the upper half of a half filled marker is thinner than its line.
    private static final double INNER_SHARE = 0.97;
    private final ChartStyle style;
    private final double radius;

    /// @param radius in logical pixels at scale 1
    Markers(ChartStyle style, double radius) {
        this.style = style;
        this.radius = radius * style.scale();
    }

    /// The shape around the origin; a hole is cut out of it.
    Shape shape(SeriesStyle own) {
        Shape full = outline(own.marker());
        Area cut = new Area(full);
        return switch (own.dash()) {
            case SOLID, LONG -> full;
            case DASH_DOT -> {
                Area upper = cut.createTransformedArea(AffineTransform.getScaleInstance(INNER_SHARE, INNER_SHARE));
                upper.intersect(new Area(new Rectangle2D.Double(-2 * radius, -2 * radius, 4 * radius, 2 * radius)));
                cut.subtract(upper);
                yield cut;
            }
            case DOTTED -> {
                double r = radius * HOLE_SHARE;
                cut.subtract(new Area(new Ellipse2D.Double(-r, -r, 2 * r, 2 * r)));
                yield cut;
            }
        };
    }

    /// The inside: the background for a hollow marker.
    Color fill(SeriesStyle own) {
        return own.dash() == Dash.LONG ? style.background() : style.series(own);
    }

    /// The line around a marker.
    BasicStroke edge() {
        return new BasicStroke((float) (1.5 * style.scale()), BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER);
    }

    /// Draws a marker with a halo, so that it is seen on lines and on others.
    void draw(Graphics2D g2, SeriesStyle own, double x, double y) {
        AffineTransform at = AffineTransform.getTranslateInstance(x, y);
        Shape full = at.createTransformedShape(outline(own.marker()));
        g2.setPaint(style.background());
        g2.setStroke(new BasicStroke((float) (3.4 * style.scale())));
        g2.draw(full);
        g2.fill(full);
        Shape shape = at.createTransformedShape(shape(own));
        g2.setPaint(fill(own));
        g2.fill(shape);
        g2.setPaint(style.series(own));
        g2.setStroke(edge());
        g2.draw(shape);
    }

    /// Circle, square, triangle, diamond, down triangle, plus, cross; the baseline's is a small square.
    private Shape outline(int slot) {
        double r = radius;
        return switch (Math.floorMod(slot, ChartStyle.SLOTS)) {
            case 0 -> new Ellipse2D.Double(-r, -r, 2 * r, 2 * r);
            case 1 -> new Rectangle2D.Double(-r * 0.88, -r * 0.88, 1.76 * r, 1.76 * r);
            case 2 -> polygon(0, -r * 1.15, r * 1.05, r * 0.8, -r * 1.05, r * 0.8);
            case 3 -> polygon(0, -r * 1.25, r * 1.25, 0, 0, r * 1.25, -r * 1.25, 0);
            case 4 -> polygon(0, r * 1.15, r * 1.05, -r * 0.8, -r * 1.05, -r * 0.8);
            case 5 -> plus(r);
            case 6 -> AffineTransform.getRotateInstance(Math.PI / 4).createTransformedShape(plus(r));
            default -> new Rectangle2D.Double(-r / 2, -r / 2, r, r);
        };
    }

    private static Shape plus(double r) {
        double w = r * 0.48;
        return polygon(-w, -r * 1.2, w, -r * 1.2, w, -w, r * 1.2, -w, r * 1.2, w, w, w, w, r * 1.2, -w, r * 1.2, -w, w,
                -r * 1.2, w, -r * 1.2, -w, -w, -w);
    }

    private static Shape polygon(double... xy) {
        Path2D.Double path = new Path2D.Double();
        path.moveTo(xy[0], xy[1]);
        for (int i = 2; i < xy.length; i += 2) {
            path.lineTo(xy[i], xy[i + 1]);
        }
        path.closePath();
        return path;
    }
}
