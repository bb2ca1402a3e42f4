package org.inferometer.ui.chart;

import atlantafx.base.theme.Styles;
import javafx.geometry.Insets;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Pane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import javafx.scene.shape.Circle;
import javafx.scene.shape.Line;
import javafx.scene.shape.Rectangle;
import org.inferometer.ui.chart.ChartReader.Readout;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;
import org.jspecify.annotations.Nullable;

/// What moves over a drawing: the line, the ring at a mark, the values and the selected range. The drawing below stays as it is.
final class CrosshairOverlay extends Pane {
    private static final double GAP = 12;
    private static final double RING = 8;
    private static final double LEAST_WIDTH = 170;
    private final Line line = new Line();
    private final Circle ring = new Circle(RING);
    private final Rectangle selection = new Rectangle();
    private final Label head = Panes.styled(new Label(), StyleClasses.TILE_TITLE);
    private final Label names = new Label();
    private final Label values = new Label();
    private final Label hint = Panes.styled(new Label(), Styles.TEXT_MUTED, Styles.TEXT_SMALL);
    private final HBox rows = new HBox(GAP, names, values);
    private final VBox tooltip = Panes.styled(new VBox(2, head, rows, hint), StyleClasses.CHART_TOOLTIP);

    CrosshairOverlay() {
        setManaged(false);
        setMouseTransparent(true);
        getStyleClass().add(StyleClasses.CHART_OVERLAY);
        line.getStyleClass().add(StyleClasses.CROSSHAIR);
        ring.getStyleClass().add(StyleClasses.CROSSHAIR);
        selection.getStyleClass().add(StyleClasses.CHART_SELECTION);
        tooltip.setManaged(false);
        hint.setWrapText(true);
        values.setMinWidth(USE_PREF_SIZE);
        values.getStyleClass().add(StyleClasses.CHART_VALUES);
        HBox.setHgrow(names, Priority.ALWAYS);
        getChildren().addAll(selection, line, ring, tooltip);
        hide();
        select(null, 0, 0);
    }

    /// Draws the line alone, or nothing where the value is outside of the plot.
    void showLine(PlotArea area, double x) {
        boolean inside = Double.isFinite(x) && area.x().shows(x);
        line.setVisible(inside);
        if (inside) {
            double at = Math.round(area.x().pixel(x)) + 0.5;
            line.setStartX(at);
            line.setEndX(at);
            line.setStartY(area.top());
            line.setEndY(area.bottom());
        }
    }

    /// Draws the line, the ring and the values beside them.
    ///
    /// @param sentence under the values, or empty
    void show(PlotArea area, Readout readout, String sentence, double pixelY) {
        showLine(area, readout.x());
        boolean ringed = line.isVisible() && Double.isFinite(readout.y()) && area.y().shows(readout.y());
        ring.setVisible(ringed);
        if (ringed) {
            ring.setCenterX(area.x().pixel(readout.x()));
            ring.setCenterY(area.y().pixel(readout.y()));
        }
        head.setText(readout.head());
        names.setText(String.join("\n", readout.rows().stream().map(Readout.Row::name).toList()));
        values.setText(String.join("\n", readout.rows().stream().map(Readout.Row::value).toList()));
        hint.setText(sentence);
        hint.setVisible(!sentence.isEmpty());
        hint.setManaged(!sentence.isEmpty());
        tooltip.setVisible(true);
        tooltip.applyCss();
        hint.setMinHeight(USE_PREF_SIZE);
        double width = Math.min(getWidth(), Math.max(LEAST_WIDTH, rowsWidth()));
        tooltip.resize(Math.min(width, tooltip.prefWidth(-1)), tooltip.prefHeight(width));
        double at = Double.isFinite(readout.x()) ? area.x().pixel(readout.x()) : area.x().start();
        place(at, ringed ? ring.getCenterY() : pixelY);
    }

    /// The hint below the values is wrapped, so that it does not widen them.
    private double rowsWidth() {
        Insets insets = tooltip.getInsets();
        return snapSizeX(insets.getLeft()) + snapSizeX(insets.getRight())
                + snapSizeX(Math.max(head.prefWidth(-1), rows.prefWidth(-1)));
    }

    /// Beside the place if there is room, else below or above it.
    private void place(double x, double y) {
        double width = tooltip.getWidth();
        double height = tooltip.getHeight();
        boolean right = x + GAP + width <= getWidth();
        boolean left = x - GAP - width >= 0;
        boolean beside = right || left;
        double atX = right ? x + GAP : left ? x - GAP - width : Math.max(0, getWidth() - width);
        double below = y + GAP + height <= getHeight() ? y + GAP : y - GAP - height;
        double atY = beside ? y - height / 2 : below;
        tooltip.setLayoutX(Math.round(atX));
        tooltip.setLayoutY(Math.round(Math.max(0, Math.min(atY, getHeight() - height))));
    }

    /// Removes line, ring and values.
    void hide() {
        line.setVisible(false);
        ring.setVisible(false);
        tooltip.setVisible(false);
    }

    boolean lineShown() {
        return line.isVisible();
    }

    /// Marks the pixels between two places; none without a plot.
    void select(@Nullable PlotArea area, double from, double to) {
        selection.setVisible(area != null);
        if (area != null) {
            selection.setX(Math.min(from, to));
            selection.setWidth(Math.abs(to - from));
            selection.setY(area.top());
            selection.setHeight(area.bottom() - area.top());
        }
    }
}
