package org.inferometer.ui.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import javafx.event.Event;
import javafx.scene.control.Label;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Line;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.junit.jupiter.api.Test;

/// What the legend lists, hides and isolates.
class ChartLegendTest extends ShownCharts {
    @Test
    void theLegendTogglesAndIsolates() throws Exception {
        fx(() -> {
            assertThat(legend()).extracting(Label::getText).containsExactly("slow", "fast");
            click(legend().get(1), false);
            mouse(MouseEvent.MOUSE_MOVED, 42, 0);
            assertThat(values()).isEqualTo("42 s\nslow: 2 tok/s");
            click(legend().get(1), true);
            assertThat(values()).isEqualTo("42 s\nfast: 1042 tok/s");
            assertThat(((Marks.Lines) Objects.requireNonNull(host.visibleData()).marks()).lines().getFirst().style())
                    .isEqualTo(SeriesStyle.solid(3));
            click(legend().get(1), true);
            assertThat(values()).isEqualTo("42 s\nslow: 2 tok/s\nfast: 1042 tok/s");
            return null;
        });
    }

    @Test
    void liveLegendNamesTheCurrentRunAlone() throws Exception {
        fx(() -> {
            double[] x = {0, 1, 2};
            SeriesStyle quiet = new SeriesStyle(7, ChartData.Dash.LONG).faint();
            host.setLive(true);
            host.setData(
                    new ChartData("live", "TTFT", "live", Axis.fitted("time, s"), Axis.fromZero("ms"),
                            new Marks.Lines(
                                    List.of(new Line("naive", SeriesStyle.solid(1).faint(), x, x),
                                            new Line("P95", quiet, x, x), new Line("P50", SeriesStyle.solid(0), x, x)),
                                    false)));
            settle();
            assertThat(legend()).extracting(Label::getText).containsExactly("P95", "P50");
            return null;
        });
    }

    private List<Label> legend() {
        return host.lookupAll(".legend-item").stream().map(Label.class::cast).toList();
    }

    private void click(Label item, boolean control) {
        Event.fireEvent(item, new MouseEvent(MouseEvent.MOUSE_CLICKED, 1, 1, 1, 1, MouseButton.PRIMARY, 1, false,
                control, false, false, true, false, false, false, false, true, null));
        settle();
    }
}
