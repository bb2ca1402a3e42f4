package org.inferometer.ui.bench;

import java.util.List;
import javafx.scene.Group;
import javafx.scene.layout.Region;
import javafx.scene.shape.Line;
import javafx.scene.shape.Polyline;
import javafx.scene.shape.StrokeLineJoin;
import org.inferometer.ui.theme.StyleClasses;

/// A small line of values without axes, from zero to a common greatest value. Its colour is a slot of the series palette.
final class SmallLine extends Region {
    private final Polyline line = new Polyline();
    private final Group markers = new Group();
    private List<Double> marked = List.of();
    private List<Double> values = List.of();
    private double greatest = 1;
    private double width = 1;

    SmallLine() {
        getStyleClass().add(StyleClasses.SMALL_LINE);
        line.setManaged(false);
        line.setMouseTransparent(true);
        line.setStrokeLineJoin(StrokeLineJoin.ROUND);
        markers.setManaged(false);
        markers.setMouseTransparent(true);
        getChildren().addAll(line, markers);
        setMinSize(0, 0);
    }

    /// @param slot of the series palette
    /// @param top the value at the upper edge
    /// @param share of the width that the values take
    void show(List<Double> newValues, int slot, double top, double share) {
        String colour = StyleClasses.SERIES_STROKE + slot;
        if (!line.getStyleClass().contains(colour)) {
            line.getStyleClass().setAll(colour);
        }
        if (!values.equals(newValues) || greatest != top || width != share) {
            values = newValues;
            greatest = top;
            width = share;
            layoutChildren();
        }
    }

    /// Shows vertical lines.
    ///
    /// @param shares of the width
    void mark(List<Double> shares) {
        if (!marked.equals(shares)) {
            marked = shares;
            layoutChildren();
        }
    }

    @Override
    protected void layoutChildren() {
        markers.getChildren().setAll(marked.stream().map(share -> {
            Line at = new Line(getWidth() * share, 0, getWidth() * share, getHeight());
            at.getStyleClass().add(StyleClasses.MARKER_LINE);
            return at;
        }).toList());
        Double[] points = new Double[2 * values.size()];
        for (int i = 0; i < values.size(); i++) {
            points[2 * i] = getWidth() * width * i / Math.max(1, values.size() - 1);
            double share = greatest > 0 ? Math.clamp(values.get(i) / greatest, 0, 1) : 0;
            points[2 * i + 1] = 1 + (getHeight() - 2) * (1 - share);
        }
        line.getPoints().setAll(points);
    }
}
