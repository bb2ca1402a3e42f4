package org.inferometer.ui.timeline;

import static org.inferometer.ui.fx.Messages.text;

import javafx.beans.value.ObservableValue;
import javafx.geometry.VPos;
import javafx.scene.canvas.Canvas;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.Region;
import javafx.scene.text.Font;
import org.inferometer.ui.timeline.TimelineColors.TimelineColor;
import org.jspecify.annotations.Nullable;

/// The whole run in one strip: how busy its lanes were, or its requests when there are no steps. The frame marks the
/// visible window; dragging it moves the window, dragging beside it selects a new one.
final class TimelineMinimap extends Region {
    private static final double HEIGHT = 46;
    private static final double GRIP = 6;
    private final TimelineViewModel model;
    private final ObservableValue<Double> textScale;
    private final Canvas canvas = new Canvas();
    private final TimelineColors inks = new TimelineColors(this::requestLayout);
    private long pressed;
    private @Nullable TimeWindow grabbed;
    private boolean resizesStart;
    private boolean resizesEnd;

    /// @param textScale size of texts and gutter; 1 for the usual one
    TimelineMinimap(TimelineViewModel model, ObservableValue<Double> textScale) {
        this.model = model;
        this.textScale = textScale;
        setId("timeline-minimap");
        setMinHeight(USE_PREF_SIZE);
        prefHeightProperty().bind(textScale.map(size -> Math.rint(HEIGHT * size)));
        setMaxHeight(USE_PREF_SIZE);
        setAccessibleText(text("timeline.minimap"));
        canvas.setManaged(false);
        getChildren().addAll(inks, canvas);
        for (ObservableValue<?> watched : new ObservableValue<?>[]{model.sheet(), model.visible().window(),
                textScale}) {
            watched.addListener((observed, before, now) -> requestLayout());
        }
        canvas.setOnMousePressed(this::press);
        canvas.setOnMouseDragged(this::drag);
        canvas.setOnMouseClicked(event -> {
            if (event.isStillSincePress() && event.getClickCount() == 2) {
                model.visible().showAll();
            }
        });
    }

    private @Nullable TimeScale scale() {
        TimelineSheet sheet = model.sheet().get();
        double width = canvas.getWidth() - gutter();
        return sheet == null || width < 1 ? null : new TimeScale(sheet.all(), gutter(), width, 1);
    }

    private double gutter() {
        return Math.rint(TimelinePainter.GUTTER * textScale.getValue());
    }

    private void press(MouseEvent event) {
        TimeScale scale = scale();
        if (scale == null) {
            return;
        }
        TimeWindow window = model.visible().window().get();
        pressed = scale.nanos(event.getX());
        resizesStart = Math.abs(event.getX() - scale.x(window.from())) <= GRIP;
        resizesEnd = !resizesStart && Math.abs(event.getX() - scale.x(window.to())) <= GRIP;
        boolean isWhole = window.equals(scale.window());
        grabbed = !isWhole && (window.contains(pressed) || resizesStart || resizesEnd) ? window : null;
        if (grabbed == null && !isWhole) {
            model.visible().look(window.centred(pressed, scale.window()));
            grabbed = model.visible().window().get();
        }
    }

    private void drag(MouseEvent event) {
        TimeScale scale = scale();
        if (scale == null) {
            return;
        }
        long now = Math.clamp(scale.nanos(event.getX()), scale.window().from(), scale.window().to());
        TimeWindow held = grabbed;
        if (held == null) {
            if (now != pressed) {
                model.visible().look(new TimeWindow(Math.min(now, pressed), Math.max(now, pressed)));
            }
        } else if (resizesStart || resizesEnd) {
            long other = resizesStart ? held.to() : held.from();
            if (now != other) {
                model.visible().look(new TimeWindow(Math.min(now, other), Math.max(now, other)));
            }
        } else {
            model.visible().look(held.panned(now - pressed, scale.window()));
        }
    }

    @Override
    protected void layoutChildren() {
        double width = Math.min(TimelineCanvas.LARGEST_DEVICE_PIXELS, Math.floor(getWidth()) - 12);
        double whole = getPrefHeight();
        if (width < gutter() + 1) {
            return;
        }
        canvas.setWidth(width);
        canvas.setHeight(whole);
        GraphicsContext graphics = canvas.getGraphicsContext2D();
        graphics.setFill(inks.color(TimelineColor.GROUND));
        graphics.fillRect(0, 0, width, whole);
        TimelineSheet sheet = model.sheet().get();
        TimeScale scale = scale();
        if (sheet == null || scale == null) {
            return;
        }
        graphics.setFill(inks.color(TimelineColor.QUIET_TEXT));
        graphics.setTextBaseline(VPos.CENTER);
        double size = textScale.getValue();
        graphics.setFont(Font.font(12 * size));
        boolean busy = sheet.panels().stream().anyMatch(TimelineSheet::keepsSteps);
        graphics.fillText(text(busy ? "timeline.lanes-busy" : "timeline.in-flight"), 10 * size, whole / 2,
                gutter() - 16 * size);
        double height = (whole - 8) / sheet.panels().size();
        for (int panel = 0; panel < sheet.panels().size(); panel++) {
            busy(graphics, scale, sheet, panel, 4 + panel * height, height - 1);
        }
        brush(graphics, scale, whole);
    }

    private void busy(GraphicsContext graphics, TimeScale scale, TimelineSheet sheet, int panel, double top,
            double height) {
        graphics.setFill(inks.color(TimelineColor.BAND));
        graphics.fillRect(scale.left(), top, scale.width(), height);
        TimelineOverview overview = sheet.overviews().get(panel);
        int columns = scale.columns();
        for (int column = 0; column < columns; column++) {
            double y = top + height;
            for (int i = 0; i < overview.layers().size(); i++) {
                double part = Math.min(y - top,
                        height * overview.share(i, (double) column / columns, (column + 1.0) / columns));
                if (part > 0) {
                    graphics.setFill(inks.color(overview.layers().get(i).ink()));
                    graphics.fillRect(scale.left() + column, y - part, 1, part);
                    y -= part;
                }
            }
        }
    }

    private void brush(GraphicsContext graphics, TimeScale scale, double whole) {
        double from = scale.x(model.visible().window().get().from());
        double to = Math.max(from + 3, scale.x(model.visible().window().get().to()));
        graphics.setFill(inks.faded(TimelineColor.GROUND, 0.6));
        graphics.fillRect(scale.left(), 0, Math.max(0, from - scale.left()), whole);
        graphics.fillRect(to, 0, Math.max(0, scale.left() + scale.width() - to), whole);
        graphics.setStroke(inks.color(TimelineColor.FOCUS));
        graphics.setLineWidth(1.5);
        graphics.strokeRoundRect(from + 0.75, 1.25, Math.max(2, to - from - 1.5), whole - 2.5, 4, 4);
    }
}
