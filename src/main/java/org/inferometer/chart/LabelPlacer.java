package org.inferometer.chart;

import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Finds places for labels beside points: within the plot and beside all marks and labels so far, and off lines where that is possible.
final class LabelPlacer {
    private static final double[][] DIRECTIONS = {{1, -1}, {1, 1}, {-1, -1}, {-1, 1}, {1, 0}, {-1, 0}, {0, -1}, {0, 1}};
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
