package org.inferometer.ui.chart;

import static org.assertj.core.api.Assertions.assertThat;

import javafx.event.Event;
import javafx.event.EventType;
import javafx.scene.control.Button;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import javafx.scene.input.ScrollEvent;
import javafx.scene.input.ZoomEvent;
import org.assertj.core.data.Offset;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.chart.ChartHeader.ZoomButton;
import org.inferometer.ui.chart.PlotArea.AxisRange;
import org.junit.jupiter.api.Test;

/// How a chart is zoomed and moved.
class ChartZoomTest extends ShownCharts {
    @Test
    void aDragZoomsAndZeroFits() throws Exception {
        fx(() -> {
            mouse(MouseEvent.MOUSE_PRESSED, 20, 1);
            mouse(MouseEvent.MOUSE_DRAGGED, 60, 1);
            mouse(MouseEvent.MOUSE_RELEASED, 60, 1);
            mouse(MouseEvent.MOUSE_CLICKED, 60, 1);
            settle();
            assertThat(shown()).isEqualTo(new AxisRange(0, 100));
            assertThat(host.lookup("#chart-range").isVisible()).isTrue();
            ((Button) host.lookup("#chart-range-zoom")).fire();
            settle();
            assertThat(host.lookup("#chart-range").isVisible()).isFalse();
            assertThat(shown()).isEqualTo(new AxisRange(20, 60));
            assertThat(values()).isEmpty();
            key(KeyCode.DIGIT0);
            assertThat(shown()).isEqualTo(new AxisRange(0, 100));
            key(KeyCode.BACK_SPACE);
            assertThat(shown()).isEqualTo(new AxisRange(20, 60));
            mouse(MouseEvent.MOUSE_CLICKED, 40, 2);
            settle();
            assertThat(shown()).isEqualTo(new AxisRange(0, 100));
            return null;
        });
    }

    @Test
    void middleDragAndSpaceDragPanInOneStep() throws Exception {
        fx(() -> {
            host.zoom().show(new AxisRange(20, 40));
            settle();
            double pixels = area().x().pixel(30) - area().x().pixel(20);
            for (boolean space : new boolean[]{false, true}) {
                if (space) {
                    key(KeyCode.SPACE);
                }
                MouseButton button = space ? MouseButton.PRIMARY : MouseButton.MIDDLE;
                drag(MouseEvent.MOUSE_PRESSED, 300, button);
                drag(MouseEvent.MOUSE_DRAGGED, 300 - pixels / 2, button);
                drag(MouseEvent.MOUSE_DRAGGED, 300 - pixels, button);
                drag(MouseEvent.MOUSE_RELEASED, 300 - pixels, button);
                Event.fireEvent(host,
                        new KeyEvent(KeyEvent.KEY_RELEASED, "", "", KeyCode.SPACE, false, false, false, false));
            }
            assertThat(shown()).isEqualTo(new AxisRange(40, 60));
            key(KeyCode.BACK_SPACE);
            assertThat(shown()).isEqualTo(new AxisRange(30, 50));
            key(KeyCode.BACK_SPACE);
            assertThat(shown()).isEqualTo(new AxisRange(20, 40));
            Event.fireEvent(host, new KeyEvent(KeyEvent.KEY_PRESSED, "", "", KeyCode.RIGHT, false, false, true, false));
            settle();
            assertThat(shown()).isEqualTo(new AxisRange(30, 50));
            host.setData(other());
            settle();
            assertThat(shown()).isEqualTo(new AxisRange(30, 50));
            return null;
        });
    }

    @Test
    void pinchZoomsAtThePointer() throws Exception {
        fx(() -> {
            double x = area().x().pixel(50);
            Event.fireEvent(host,
                    new ZoomEvent(ZoomEvent.ZOOM, x, 100, x, 100, false, false, false, false, true, false, 2, 2, null));
            settle();
            assertThat(shown()).isEqualTo(new AxisRange(25, 75));
            return null;
        });
    }

    @Test
    void aDragOfFivePixelsIsAClick() throws Exception {
        fx(() -> {
            double five = 5 / (area().x().pixel(1) - area().x().pixel(0));
            mouse(MouseEvent.MOUSE_PRESSED, 20, 1);
            mouse(MouseEvent.MOUSE_DRAGGED, 20 + five, 1);
            mouse(MouseEvent.MOUSE_RELEASED, 20 + five, 1);
            settle();
            assertThat(shown()).isEqualTo(new AxisRange(0, 100));
            return null;
        });
    }

    @Test
    void theWheelZoomsWithControlAndPansWithShift() throws Exception {
        fx(() -> {
            wheel(50, 40, false, false);
            assertThat(shown()).isEqualTo(new AxisRange(0, 100));
            wheel(50, 40, false, true);
            assertThat(shown()).isEqualTo(new AxisRange(10, 90));
            wheel(50, -40, true, false);
            assertThat(shown()).isEqualTo(new AxisRange(18, 98));
            wheel(50, 4000, true, false);
            wheel(50, 4000, true, false);
            wheel(50, 4000, true, false);
            assertThat(shown()).isEqualTo(new AxisRange(-2, 78));
            wheel(50, -40, false, true);
            wheel(50, -40, false, true);
            assertThat(shown()).isEqualTo(new AxisRange(0, 100));
            return null;
        });
    }

    @Test
    void zoomAndHiddenSeriesSurviveDataAndTheme() throws Exception {
        fx(() -> {
            host.setLive(true);
            host.zoom().show(new AxisRange(20, 40));
            host.chooseSeries("fast", false);
            settle();
            host.setData(chart(201));
            shade.set(Shade.DARK);
            settle();
            assertThat(shown()).isEqualTo(new AxisRange(20, 40));
            assertThat(area().y().upper()).isLessThan(11);
            assertThat(button().getText()).isEqualTo("Follow live");
            assertThat(button().getBoundsInParent().getMaxY()).isLessThanOrEqualTo(area().top());
            host.toggleTable();
            settle();
            assertThat(button().getBoundsInParent().getMaxY())
                    .isLessThanOrEqualTo(host.lookup(".chart-table").getBoundsInParent().getMinY());
            host.toggleTable();
            settle();
            key(KeyCode.END);
            assertThat(shown()).isEqualTo(new AxisRange(0, 200));
            assertThat(button().isVisible()).isFalse();
            host.chooseSeries("fast", false);
            settle();
            assertThat(area().y().upper()).isGreaterThan(1000);
            return null;
        });
    }

    @Test
    void aStepBeyondTheZoomMovesIt() throws Exception {
        fx(() -> {
            host.zoom().show(new AxisRange(20, 40));
            settle();
            key(KeyCode.END);
            settle();
            assertThat(values()).startsWith("100 s\n");
            assertThat(area().x().shows(100)).isTrue();
            assertThat(area().x().upper() - area().x().lower()).isEqualTo(20, Offset.offset(1e-6));
            return null;
        });
    }

    private void wheel(double value, double turned, boolean shift, boolean control) {
        double x = area().x().pixel(value);
        Event.fireEvent(host,
                new ScrollEvent(ScrollEvent.SCROLL, x, 100, x, 100, shift, control, false, false, true, false,
                        shift ? turned : 0, shift ? 0 : turned, 0, 0, ScrollEvent.HorizontalTextScrollUnits.NONE, 0,
                        ScrollEvent.VerticalTextScrollUnits.NONE, 0, 0, null));
        settle();
    }

    /// Another metric over the same axis.
    private static ChartData other() {
        ChartData one = chart(101);
        return new ChartData("latency", "Latency, ms", "", one.x(), Axis.fromZero("ms"), one.marks());
    }

    private void drag(EventType<MouseEvent> type, double x, MouseButton button) {
        Event.fireEvent(host, new MouseEvent(type, x, 100, x, 100, button, 1, false, false, false, false, true, false,
                false, false, false, true, null));
        settle();
    }

    private ZoomButton button() {
        return (ZoomButton) host.lookup(".zoom-button");
    }
}
