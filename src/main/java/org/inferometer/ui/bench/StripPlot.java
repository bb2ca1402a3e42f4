package org.inferometer.ui.bench;

import java.util.ArrayList;
import java.util.List;
import javafx.scene.layout.Region;
import javafx.scene.shape.LineTo;
import javafx.scene.shape.MoveTo;
import javafx.scene.shape.Path;
import javafx.scene.shape.PathElement;
import org.inferometer.ui.theme.StyleClasses;

/// A line over time from zero, without axes. Least and greatest value of each pixel column stay, and gaps stay gaps.
final class StripPlot extends Region {
    private final Path path = new Path();
    private double[] seconds = {};
    private double[] values = {};
    private double greatest = 1;

    StripPlot() {
        getStyleClass().add(StyleClasses.STRIP_PLOT);
        path.setManaged(false);
        path.setMouseTransparent(true);
        getChildren().add(path);
        setMinSize(0, 0);
    }

    void show(LiveStrip strip) {
        seconds = strip.seconds();
        values = strip.values();
        greatest = strip.greatest() > 0 ? strip.greatest() : 1;
        layoutChildren();
    }

    @Override
    protected void layoutChildren() {
        path.getElements().setAll(elements(seconds, values, greatest, getWidth(), getHeight()));
    }

    /// The line in a rectangle.
    static List<PathElement> elements(double[] seconds, double[] values, double greatest, double width, double height) {
        List<PathElement> elements = new ArrayList<>();
        if (seconds.length < 2 || width < 2 || seconds[seconds.length - 1] <= seconds[0]) {
            return elements;
        }
        double perSecond = (width - 1) / (seconds[seconds.length - 1] - seconds[0]);
        boolean gap = true;
        for (int i = 0; i < values.length;) {
            long column = Math.round((seconds[i] - seconds[0]) * perSecond);
            double low = Double.POSITIVE_INFINITY;
            double high = Double.NEGATIVE_INFINITY;
            for (; i < values.length && Math.round((seconds[i] - seconds[0]) * perSecond) == column; i++) {
                if (!Double.isNaN(values[i])) {
                    low = Math.min(low, values[i]);
                    high = Math.max(high, values[i]);
                }
            }
            if (high < low) {
                gap = true;
                continue;
            }
            double y = 1 + (height - 2) * (1 - low / greatest);
            elements.add(gap ? new MoveTo(column, y) : new LineTo(column, y));
            // A value alone between gaps is a short line.
            elements.add(
                    new LineTo(gap && high == low ? column + 1.0 : column, 1 + (height - 2) * (1 - high / greatest)));
            gap = false;
        }
        return elements;
    }
}
