package org.inferometer.ui.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.event.Event;
import javafx.event.EventType;
import javafx.scene.Scene;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.MenuItem;
import javafx.scene.control.ScrollPane;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import javafx.scene.input.ScrollEvent;
import javafx.scene.input.ZoomEvent;
import javafx.scene.layout.HBox;
import org.assertj.core.data.Offset;
import org.inferometer.chart.ChartComposer;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.FindingsTest;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Line;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.report.charts.ExperimentCharts;
import org.inferometer.results.SampleRecords;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.twin.FileDialogsTwin;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.SampleCharts;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

/// Two charts over the same axis from 0 to 100 s, a sample a second.
class ChartGesturesTest {
    private final ObjectProperty<Shade> shade = new SimpleObjectProperty<>(Shade.LIGHT);
    private int composed;
    private final List<String> opened = new ArrayList<>();
    private final ChartTools tools = new ChartTools((chart, tone, scale, width) -> {
        composed++;
        return new ChartComposer(tone, 1).compose(chart, width);
    }, (sheet, picture) -> new byte[0], shade, new FileDialogsTwin(Path.of("target")), new InlineUi().work(),
            new Notifier() {
                @Override
                public void done(String sentence) {}

                @Override
                public void problem(String sentence) {}
            }, new ChartWindowTwin(opened), "");
    private ChartHost host;
    private ChartHost other;

    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    @BeforeEach
    void show() throws Exception {
        fx(() -> {
            host = new ChartHost(tools);
            other = new ChartHost(tools);
            ChartGroup group = new ChartGroup();
            List.of(host, other).forEach(each -> each.join(group));
            new Scene(new HBox(host, other), 900, 300).snapshot(null);
            host.setData(chart(101));
            other.setData(chart(101));
            settle();
            return null;
        });
    }

    private static ChartData chart(int samples) {
        double[] x = new double[samples];
        Arrays.setAll(x, i -> i);
        double[] slow = new double[samples];
        Arrays.setAll(slow, i -> i % 10);
        double[] fast = new double[samples];
        Arrays.setAll(fast, i -> 1000 + i);
        return new ChartData("live", "Throughput, tok/s", "live", Axis.fitted("time, s"), Axis.fromZero("tok/s"),
                new Marks.Lines(List.of(new Line("slow", SeriesStyle.solid(0), x, slow),
                        new Line("fast", SeriesStyle.solid(3), x, fast)), false));
    }

    private static ChartData latencies() {
        ExperimentRecord record = FindingsTest.record(SampleRecords.experiment(Path.of("x"), 2));
        return new ExperimentCharts(record).all().stream().filter(chart -> chart.id().equals("e2e-ecdf")).findFirst()
                .orElseThrow();
    }

    private static <T> T fx(Callable<T> action) throws Exception {
        return WaitForAsyncUtils.asyncFx(action).get(20, TimeUnit.SECONDS);
    }

    private void settle() {
        host.getScene().snapshot(null);
    }

    private PlotArea area() {
        return Objects.requireNonNull(host.area());
    }

    private AxisRange shown() {
        return new AxisRange(Math.round(area().x().lower()), Math.round(area().x().upper()));
    }

    private void mouse(EventType<MouseEvent> type, double value, int clicks) {
        double x = area().x().pixel(value);
        double y = (area().top() + area().bottom()) / 2;
        Event.fireEvent(host, new MouseEvent(type, x, y, x, y, MouseButton.PRIMARY, clicks, false, false, false, false,
                true, false, false, false, false, true, null));
    }

    private void wheel(double value, double turned, boolean shift, boolean control) {
        double x = area().x().pixel(value);
        Event.fireEvent(host,
                new ScrollEvent(ScrollEvent.SCROLL, x, 100, x, 100, shift, control, false, false, true, false,
                        shift ? turned : 0, shift ? 0 : turned, 0, 0, ScrollEvent.HorizontalTextScrollUnits.NONE, 0,
                        ScrollEvent.VerticalTextScrollUnits.NONE, 0, 0, null));
        settle();
    }

    private void key(KeyCode code, boolean shift, boolean control) {
        Event.fireEvent(host, new KeyEvent(KeyEvent.KEY_PRESSED, "", "", code, shift, control, false, false));
        settle();
    }

    private void key(KeyCode code) {
        key(code, false, false);
    }

    private String values() {
        return host.crosshair().readout().map(Readout::lines).orElse("");
    }

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

    private ZoomButton button() {
        return (ZoomButton) host.lookup(".zoom-button");
    }

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

    @Test
    void menuActsOnTheChartWithTheFocus() throws Exception {
        fx(() -> {
            FocusedChart focused = new FocusedChart();
            focused.follow(host.getScene());
            assertThat(reasons(focused)).containsExactly("Click a chart first.", "Click a chart first.",
                    "Click a live chart first.");
            focused.zoomIn();
            assertThat(other.zoom().range()).isEmpty();
            other.setLive(true);
            other.requestFocus();
            assertThat(reasons(focused)).containsExactly("", "", "The chart follows.");
            focused.zoomIn();
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
