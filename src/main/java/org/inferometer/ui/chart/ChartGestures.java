package org.inferometer.ui.chart;

import javafx.scene.Cursor;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import javafx.scene.input.ScrollEvent;
import javafx.scene.input.ZoomEvent;
import org.inferometer.ui.chart.PlotArea.AxisRange;

/// The gestures of a chart: pointer, wheel and keys, the same in every chart.
final class ChartGestures {
    private static final double LEAST_DRAG_PIXELS = 6;
    private static final double WHEEL_FACTOR = 1.25;
    private static final double PAN_SHARE = 0.1;
    private static final int FAR = 10;
    private final ChartHost host;
    private double pressedX = Double.NaN;
    private boolean selecting;
    private boolean spaceDown;

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
        host.setOnZoom(gestures::pinched);
        host.setOnKeyPressed(gestures::key);
        host.setOnKeyReleased(event -> gestures.spaceDown &= event.getCode() != KeyCode.SPACE);
        host.focusedProperty().addListener((observed, before, now) -> {
            gestures.spaceDown &= now;
            if (!now) {
                // Values that keys show have no pointer that leaves.
                host.crosshair().leave();
            }
        });
        host.sceneProperty().addListener((observed, before, now) -> host.crosshair().leave());
    }

    private void pressed(MouseEvent event) {
        host.requestFocus();
        // A scroll pane around the chart would take the focus next.
        event.consume();
        PlotArea area = host.area();
        selecting = false;
        if (area != null && (event.getButton() == MouseButton.MIDDLE || spaceDown)) {
            pressedX = event.getX();
            host.zoom().beginDrag();
            host.setCursor(Cursor.CLOSED_HAND);
            return;
        }
        pressedX = event.getButton() == MouseButton.PRIMARY && area != null && area.contains(event.getX(), event.getY())
                ? event.getX() : Double.NaN;
    }

    private void dragged(MouseEvent event) {
        PlotArea area = host.area();
        if (host.zoom().isDragged()) {
            selecting = true;
            host.zoom().dragBy(event.getX() - pressedX);
            return;
        }
        if (area == null || Double.isNaN(pressedX) || !host.zoomable()) {
            return;
        }
        selecting |= Math.abs(event.getX() - pressedX) >= LEAST_DRAG_PIXELS;
        if (selecting) {
            host.crosshair().leave();
            host.rangeBar().clear();
            host.overlay().select(area, pressedX, within(area, event.getX()));
        }
    }

    private void released(MouseEvent event) {
        PlotArea area = host.area();
        host.setCursor(null);
        if (host.zoom().isDragged()) {
            host.zoom().endDrag();
        } else if (selecting && area != null) {
            host.overlay().select(null, 0, 0);
            double to = within(area, event.getX());
            if (Math.abs(to - pressedX) >= LEAST_DRAG_PIXELS) {
                host.rangeBar().select(AxisRange.between(area.x().value(pressedX), area.x().value(to)));
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
        boolean marked = host.rangeBar().range().filter(
                range -> range.covers(AxisRange.between(area.x().value(event.getX()), area.x().value(event.getX()))))
                .isPresent();
        if (event.getClickCount() == 2) {
            host.crosshair().release();
            host.zoom().fit();
        } else if (marked) {
            host.rangeBar().zoom();
        } else if (host.rangeBar().clear()) {
            host.crosshair().leave();
        } else if (onPinned(area, event.getX())) {
            host.requests().open();
        } else {
            host.crosshair().pinAt(event.getX(), event.getY());
            host.requests().hint();
        }
        event.consume();
    }

    private void pinched(ZoomEvent event) {
        if (host.zoomable()) {
            host.zoom().at(event.getX(), event.getZoomFactor());
            event.consume();
        }
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
            host.zoom().at(event.getX(), turned > 0 ? WHEEL_FACTOR : 1 / WHEEL_FACTOR);
        } else {
            host.zoom().pan(turned > 0 ? -PAN_SHARE : PAN_SHARE);
        }
        event.consume();
    }

    private void key(KeyEvent event) {
        boolean own = event.getTarget() == host;
        if (own && (event.isAltDown() ? withAlt(event) : event.isShortcutDown() ? withControl(event) : plain(event))) {
            event.consume();
        }
    }

    private boolean withAlt(KeyEvent event) {
        switch (event.getCode()) {
            case LEFT -> host.zoom().previous();
            case RIGHT -> host.zoom().next();
            default -> {
                return false;
            }
        }
        return true;
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
            case SPACE -> spaceDown = true;
            case ENTER -> {
                if (host.rangeBar().range().isPresent()) {
                    host.rangeBar().zoom();
                } else if (host.crosshair().pinned()) {
                    host.requests().open();
                } else {
                    host.crosshair().pin();
                    host.requests().hint();
                }
            }
            case ESCAPE -> {
                return host.rangeBar().clear() || host.crosshair().release();
            }
            case PLUS, EQUALS, ADD -> host.zoomMiddle(WHEEL_FACTOR);
            case MINUS, SUBTRACT -> host.zoomMiddle(1 / WHEEL_FACTOR);
            case DIGIT0, NUMPAD0 -> host.zoom().fit();
            case BACK_SPACE -> host.zoom().previous();
            default -> {
                return false;
            }
        }
        return true;
    }

    private void arrow(boolean pan, int direction) {
        if (pan) {
            host.zoom().pan(direction * PAN_SHARE);
        } else {
            host.crosshair().step(direction);
        }
    }
}
