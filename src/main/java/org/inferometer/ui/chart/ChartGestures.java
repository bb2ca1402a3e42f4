package org.inferometer.ui.chart;

import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import javafx.scene.input.ScrollEvent;

/// The gestures of a chart: pointer, wheel and keys, the same in every chart.
final class ChartGestures {
    private static final double LEAST_DRAG_PIXELS = 6;
    private static final double WHEEL_FACTOR = 1.25;
    private static final double PAN_SHARE = 0.1;
    private static final int FAR = 10;
    private final ChartHost host;
    private double pressedX = Double.NaN;
    private boolean selecting;

    private ChartGestures(ChartHost host) {
        this.host = host;
    }

    static void install(ChartHost host) {
        ChartGestures gestures = new ChartGestures(host);
        host.setOnMouseMoved(event -> host.crosshair().move(event.getX(), event.getY()));
        host.setOnMouseExited(event -> host.crosshair().leave());
        host.setOnMousePressed(gestures::pressed);
        host.setOnMouseDragged(gestures::dragged);
        host.setOnMouseReleased(gestures::released);
        host.setOnMouseClicked(gestures::clicked);
        host.setOnScroll(gestures::scrolled);
        host.setOnKeyPressed(gestures::key);
    }

    private void pressed(MouseEvent event) {
        host.requestFocus();
        PlotArea area = host.area();
        selecting = false;
        pressedX = event.getButton() == MouseButton.PRIMARY && area != null && area.contains(event.getX(), event.getY())
                ? event.getX() : Double.NaN;
    }

    private void dragged(MouseEvent event) {
        PlotArea area = host.area();
        if (area == null || Double.isNaN(pressedX) || !host.zoomable()) {
            return;
        }
        selecting |= Math.abs(event.getX() - pressedX) >= LEAST_DRAG_PIXELS;
        if (selecting) {
            host.crosshair().leave();
            host.overlay().select(area, pressedX, within(area, event.getX()));
        }
    }

    private void released(MouseEvent event) {
        PlotArea area = host.area();
        host.overlay().select(null, 0, 0);
        if (selecting && area != null) {
            double to = within(area, event.getX());
            if (Math.abs(to - pressedX) >= LEAST_DRAG_PIXELS) {
                host.zoomTo(AxisRange.between(area.x().value(pressedX), area.x().value(to)));
            }
        }
        pressedX = Double.NaN;
    }

    private static double within(PlotArea area, double pixel) {
        return Math.clamp(pixel, area.x().start(), area.x().end());
    }

    private void clicked(MouseEvent event) {
        PlotArea area = host.area();
        boolean dragged = selecting;
        selecting = false;
        if (event.getButton() != MouseButton.PRIMARY || dragged || area == null
                || !area.contains(event.getX(), event.getY())) {
            return;
        }
        if (event.getClickCount() == 2) {
            host.crosshair().release();
            host.fit();
        } else if (onPinned(area, event.getX())) {
            host.requests().open();
        } else {
            host.crosshair().pinAt(event.getX(), event.getY());
            host.requests().hint();
        }
        event.consume();
    }

    private boolean onPinned(PlotArea area, double pixelX) {
        return host.crosshair().pinned()
                && host.crosshair().readout()
                        .filter(pinned -> Math.abs(area.x().pixel(pinned.x()) - pixelX) < LEAST_DRAG_PIXELS).isPresent()
                && host.requests().any();
    }

    /// A plain wheel scrolls the page.
    private void scrolled(ScrollEvent event) {
        // JavaFX turns Shift and the wheel into a horizontal scroll.
        double turned = event.getDeltaY() == 0 ? event.getDeltaX() : event.getDeltaY();
        if (!host.zoomable() || turned == 0 || (!event.isShortcutDown() && !event.isShiftDown())) {
            return;
        }
        if (event.isShortcutDown()) {
            host.zoomAt(event.getX(), turned > 0 ? WHEEL_FACTOR : 1 / WHEEL_FACTOR);
        } else {
            host.pan(turned > 0 ? -PAN_SHARE : PAN_SHARE);
        }
        event.consume();
    }

    private void key(KeyEvent event) {
        if (event.getTarget() == host && (event.isShortcutDown() ? withControl(event) : plain(event))) {
            event.consume();
        }
    }

    private boolean withControl(KeyEvent event) {
        switch (event.getCode()) {
            case LEFT -> host.crosshair().step(-FAR);
            case RIGHT -> host.crosshair().step(FAR);
            case T -> host.toggleTable();
            case C -> {
                if (event.isShiftDown()) {
                    host.copyData();
                } else {
                    host.copyImage();
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean plain(KeyEvent event) {
        switch (event.getCode()) {
            case LEFT -> arrow(event.isShiftDown(), -1);
            case RIGHT -> arrow(event.isShiftDown(), 1);
            case UP -> host.crosshair().stepRows(-1);
            case DOWN -> host.crosshair().stepRows(1);
            case HOME -> host.crosshair().end(false);
            case END -> {
                if (!host.followLive()) {
                    host.crosshair().end(true);
                }
            }
            case ENTER -> {
                if (host.crosshair().pinned()) {
                    host.requests().open();
                } else {
                    host.crosshair().pin();
                    host.requests().hint();
                }
            }
            case ESCAPE -> {
                return host.crosshair().release();
            }
            case PLUS, EQUALS, ADD -> host.zoomMiddle(WHEEL_FACTOR);
            case MINUS, SUBTRACT -> host.zoomMiddle(1 / WHEEL_FACTOR);
            case DIGIT0, NUMPAD0 -> host.fit();
            case BACK_SPACE -> host.previousZoom();
            default -> {
                return false;
            }
        }
        return true;
    }

    private void arrow(boolean pan, int direction) {
        if (pan) {
            host.pan(direction * PAN_SHARE);
        } else {
            host.crosshair().step(direction);
        }
    }
}
