package org.inferometer.ui.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import javafx.event.Event;
import javafx.scene.Scene;
import javafx.scene.control.Label;
import javafx.scene.control.MenuItem;
import javafx.scene.control.ScrollPane;
import javafx.scene.input.KeyCode;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Line;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ExperimentCharts;
import org.inferometer.report.compare.FindingsTest;
import org.inferometer.results.SampleRecords;
import org.inferometer.ui.chart.PlotArea.AxisRange;
import org.inferometer.ui.twin.SampleCharts;
import org.junit.jupiter.api.Test;

/// What pointer and keys read, pin and open.
class ChartGesturesTest extends ShownCharts {
    @Test
    void chartKeepsItsKeysAfterAClickOnAScrolledPage() throws Exception {
        fx(() -> {
            Scene page = new Scene(new ScrollPane(host), 900, 300);
            page.snapshot(null);
            host.setData(chart(101));
            settle();
            mouse(MouseEvent.MOUSE_PRESSED, 50, 1);
            assertThat(page.getFocusOwner()).isSameAs(host);
            return null;
        });
    }

    @Test
    void pointOfADistributionOpensItsRequest() throws Exception {
        fx(() -> {
            ChartData chart = latencies();
            host.setData(chart);
            settle();
            Line line = ((Marks.Lines) chart.marks()).lines().getLast();
            double value = line.x()[line.x().length / 2];
            String wanted = chart.requests().nearest(line.name(), value).orElseThrow().describe();
            PlotArea area = area();
            double x = area.x().pixel(value);
            double y = area.y().pixel(line.y()[line.y().length / 2]);
            for (int click = 1; click <= 2; click++) {
                assertThat(opened).isEmpty();
                Event.fireEvent(host, new MouseEvent(MouseEvent.MOUSE_CLICKED, x, y, x, y, MouseButton.PRIMARY, 1,
                        false, false, false, false, true, false, false, false, false, true, null));
            }
            key(KeyCode.ENTER);
            assertThat(opened).containsExactly(wanted, wanted);
            MenuItem first = host.menu().getItems().getFirst();
            assertThat(first.getText()).isEqualTo("Show request in Timeline (" + line.name() + "): " + wanted);
            first.fire();
            assertThat(opened).containsExactly(wanted, wanted, wanted);
            host.setData(chart(101));
            key(KeyCode.ENTER);
            key(KeyCode.ENTER);
            assertThat(opened).hasSize(3);
            return null;
        });
    }

    @Test
    void thePointerReadsAllSeriesWithoutADrawing() throws Exception {
        fx(() -> {
            int before = composed;
            mouse(MouseEvent.MOUSE_MOVED, 42.3, 0);
            assertThat(values()).isEqualTo("42 s\nslow: 2 tok/s\nfast: 1042 tok/s");
            assertThat(host.getAccessibleText()).isEqualTo("42 s\nslow: 2 tok/s\nfast: 1042 tok/s");
            assertThat(other.overlay().lineShown()).isTrue();
            assertThat(other.crosshair().readout()).isEmpty();
            mouse(MouseEvent.MOUSE_EXITED, 42.3, 0);
            assertThat(values()).isEmpty();
            assertThat(other.overlay().lineShown()).isFalse();
            settle();
            assertThat(composed).isEqualTo(before);
            return null;
        });
    }

    @Test
    void aClickPinsAndEscapeReleases() throws Exception {
        fx(() -> {
            mouse(MouseEvent.MOUSE_PRESSED, 10, 1);
            mouse(MouseEvent.MOUSE_RELEASED, 10, 1);
            mouse(MouseEvent.MOUSE_CLICKED, 10, 1);
            mouse(MouseEvent.MOUSE_MOVED, 50, 0);
            mouse(MouseEvent.MOUSE_EXITED, 50, 0);
            assertThat(values()).startsWith("10 s\n");
            key(KeyCode.ESCAPE);
            assertThat(values()).isEmpty();
            return null;
        });
    }

    @Test
    void aPinnedPlaceReadsNewData() throws Exception {
        fx(() -> {
            mouse(MouseEvent.MOUSE_CLICKED, 10, 1);
            host.setData(chart(201));
            settle();
            assertThat(values()).isEqualTo("10 s\nslow: 0 tok/s\nfast: 1010 tok/s");
            assertThat(shown()).isEqualTo(new AxisRange(0, 200));
            return null;
        });
    }

    @Test
    void arrowsStepBySample() throws Exception {
        fx(() -> {
            key(KeyCode.RIGHT);
            assertThat(values()).startsWith("0 s\n");
            key(KeyCode.RIGHT, false, true);
            key(KeyCode.RIGHT);
            assertThat(host.getAccessibleText()).isEqualTo("11 s\nslow: 1 tok/s\nfast: 1011 tok/s");
            key(KeyCode.LEFT);
            assertThat(values()).startsWith("10 s\n");
            key(KeyCode.END);
            assertThat(values()).startsWith("100 s\n");
            key(KeyCode.HOME);
            assertThat(values()).startsWith("0 s\n");
            return null;
        });
    }

    @Test
    void everyKindOfChartShowsItsValuesAtAMark() throws Exception {
        fx(() -> {
            for (ChartData chart : SampleCharts.all()) {
                host.setData(chart);
                settle();
                key(KeyCode.RIGHT);
                key(KeyCode.RIGHT);
                assertThat(values()).as(chart.id()).isNotEmpty();
                assertThat(host.overlay().lineShown()).as(chart.id()).isTrue();
            }
            return null;
        });
    }

    @Test
    void theTableShowsWhatIsSeen() throws Exception {
        fx(() -> {
            host.chooseSeries("slow", false);
            key(KeyCode.T, false, true);
            assertThat(host.tableShown()).isTrue();
            assertThat(host.lookupAll(".tile-footer").stream().map(node -> ((Label) node).getText()))
                    .containsExactly("101 rows");
            host.setData(chart(20_000));
            settle();
            assertThat(host.lookupAll(".tile-footer").stream().map(node -> ((Label) node).getText()))
                    .containsExactly("10000 of 20000 rows. Copy the data to have all.");
            key(KeyCode.T, false, true);
            assertThat(host.tableShown()).isFalse();
            return null;
        });
    }

    private static ChartData latencies() {
        ExperimentRecord record = FindingsTest.record(SampleRecords.experiment(Path.of("x"), 2));
        return new ExperimentCharts(record).all().stream().filter(chart -> chart.id().equals("e2e-ecdf")).findFirst()
                .orElseThrow();
    }
}
