package org.inferometer.ui.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// What a menu does to the chart with the focus.
class FocusedChartTest extends ShownCharts {
    @Test
    void menuActsOnTheChartWithTheFocus() throws Exception {
        fx(() -> {
            FocusedChart focused = new FocusedChart();
            focused.follow(host.getScene());
            assertThat(reasons(focused)).containsExactly("Click a chart first.", "Click a chart first.",
                    "Click a live chart first.");
            focused.zoom(1.25);
            assertThat(other.zoom().range()).isEmpty();
            other.setLive(true);
            other.requestFocus();
            assertThat(reasons(focused)).containsExactly("", "", "The chart follows.");
            focused.zoom(1.25);
            settle();
            assertThat(other.zoom().range()).isPresent();
            assertThat(host.zoom().range()).isEmpty();
            assertThat(reasons(focused)).containsExactly("", "", "");
            focused.followLive();
            settle();
            assertThat(other.zoom().range()).isEmpty();
            assertThat(reasons(focused)).containsExactly("", "", "The chart follows.");
            focused.toggleTable();
            settle();
            assertThat(other.tableShown()).isTrue();
            assertThat(reasons(focused)).containsExactly("", "This chart has no axis of values.", "The chart follows.");
            focused.toggleTable();
            settle();
            host.requestFocus();
            assertThat(reasons(focused)).containsExactly("", "", "Click a live chart first.");
            host.setMessage("no data");
            assertThat(reasons(focused).getFirst()).isEqualTo("Click a chart first.");
            return null;
        });
    }

    /// Why no table, no zoom and no following.
    private static List<String> reasons(FocusedChart focused) {
        return List.of(focused.noChart().get(), focused.noZoom().get(), focused.follows().get());
    }
}
