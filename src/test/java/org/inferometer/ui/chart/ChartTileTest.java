package org.inferometer.ui.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javafx.beans.property.SimpleObjectProperty;
import javafx.event.Event;
import javafx.scene.Node;
import javafx.scene.Scene;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.MenuItem;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.GridPane;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.twin.FileDialogsTwin;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.PlainComposer;
import org.inferometer.ui.twin.SampleCharts;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class ChartTileTest {
    private final ChartTools tools = new ChartTools(new PlainComposer(), (sheet, picture) -> new byte[0],
            new SimpleObjectProperty<>(Shade.LIGHT), new FileDialogsTwin(Path.of("target")), new InlineUi().work(),
            new Notifier() {
                @Override
                public void done(String sentence) {}

                @Override
                public void problem(String sentence) {}
            }, ChartWindowTwin.none(), "", "");
    private final ContentArea area = new ContentArea();
    private final GridPane view = new GridPane();
    private ChartTile tile;

    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    @BeforeEach
    void show() throws Exception {
        fx(() -> {
            tile = new ChartTile(tools, "first", "First");
            view.add(tile, 1, 2);
            area.show(view);
            new Scene(area, 900, 600).snapshot(null);
            tile.setData(SampleCharts.all().getFirst());
            return null;
        });
    }

    @Test
    void aMaximisedFooterEndsWithTheSource() throws Exception {
        fx(() -> {
            ChartTile known = new ChartTile(tools.from("id", "quick · 2026-11-21 · Example CPU"), "known", "Known");
            known.setData(SampleCharts.all().getFirst());
            assertThat(footer(known)).isEqualTo(footer(tile));
            known.setMaximised(true);
            assertThat(footer(known)).isEqualTo(footer(tile) + " · quick · 2026-11-21 · Example CPU");
            known.setData(SampleCharts.all().getFirst());
            assertThat(footer(known)).endsWith("Example CPU");
            known.setMaximised(false);
            assertThat(footer(known)).isEqualTo(footer(tile));
            return null;
        });
    }

    private static String footer(ChartTile shown) {
        return ((Label) shown.getChildren().getLast()).getText();
    }

    private static <T> T fx(Callable<T> action) throws Exception {
        return WaitForAsyncUtils.asyncFx(action).get(20, TimeUnit.SECONDS);
    }

    private void key(KeyCode code) {
        Event.fireEvent(tile.host(), new KeyEvent(KeyEvent.KEY_PRESSED, "", "", code, false, false, false, false));
        area.getScene().snapshot(null);
    }

    private Button button() {
        return (Button) tile.lookup("#first-maximise");
    }

    @Test
    void fMaximisesAndEscapeRestoresWithFocus() throws Exception {
        fx(() -> {
            double before = tile.getWidth();
            key(KeyCode.F);
            assertThat(area.isMaximised(tile)).isTrue();
            assertThat(view.isVisible()).isFalse();
            assertThat(tile.getWidth()).isGreaterThan(before).isGreaterThan(800);
            assertThat(button().getAccessibleText()).isEqualTo("Restore (Esc)");
            key(KeyCode.ESCAPE);
            assertThat(view.getChildren()).containsExactly(tile);
            assertThat(List.of(GridPane.getColumnIndex(tile), GridPane.getRowIndex(tile))).containsExactly(1, 2);
            assertThat(view.isVisible()).isTrue();
            assertThat(area.getScene().getFocusOwner()).isSameAs(tile.host());
            assertThat(button().getAccessibleText()).isEqualTo("Maximise (F)");
            return null;
        });
    }

    @Test
    void theButtonAndTheTitleMaximise() throws Exception {
        fx(() -> {
            button().fire();
            assertThat(area.isMaximised(tile)).isTrue();
            button().fire();
            assertThat(area.isMaximised(tile)).isFalse();
            Node title = tile.lookup(".tile-title");
            Event.fireEvent(title, new MouseEvent(MouseEvent.MOUSE_CLICKED, 1, 1, 1, 1, MouseButton.PRIMARY, 2, false,
                    false, false, false, true, false, false, false, false, true, null));
            assertThat(area.isMaximised(tile)).isTrue();
            return null;
        });
    }

    @Test
    void anotherViewPutsTheTileBack() throws Exception {
        fx(() -> {
            button().fire();
            Label other = new Label("other");
            assertThat(area.show(other)).isTrue();
            assertThat(area.getChildren()).containsExactly(other);
            assertThat(view.getChildren()).containsExactly(tile);
            assertThat(view.isVisible()).isTrue();
            assertThat(area.show(other)).isFalse();
            return null;
        });
    }

    @Test
    void aDisposedTileGoesBack() throws Exception {
        fx(() -> {
            button().fire();
            tile.dispose();
            assertThat(area.getChildren()).containsExactly(view);
            return null;
        });
    }

    @Test
    void chartsWithTheSameSeriesShareALegend() throws Exception {
        fx(() -> {
            ChartTile second = new ChartTile(tools, "second", "Second");
            ChartTile other = new ChartTile(tools, "other", "Other");
            view.add(second, 0, 0);
            view.add(other, 0, 1);
            tile.setData(lines("ttft", "naive", "continuous"));
            second.setData(lines("itl", "naive", "continuous"));
            other.setData(lines("requests", "running", "waiting"));
            FlowPane legend = (FlowPane) ChartTile.sharedLegend(List.of(tile, second, other)).orElseThrow();
            view.add(legend, 0, 3);
            area.getScene().snapshot(null);
            assertThat(legend.getChildren().stream().map(item -> ((Label) item).getText())).containsExactly("naive",
                    "continuous");
            assertThat(shownLegends()).containsExactly("running", "waiting");
            Event.fireEvent(legend.getChildren().getFirst(), new MouseEvent(MouseEvent.MOUSE_CLICKED, 1, 1, 1, 1,
                    MouseButton.PRIMARY, 1, false, false, false, false, true, false, false, false, false, true, null));
            area.getScene().snapshot(null);
            for (ChartTile each : List.of(tile, second)) {
                assertThat(((Marks.Lines) each.host().visibleData().marks()).lines()).hasSize(1);
            }
            assertThat(((Marks.Lines) other.host().visibleData().marks()).lines()).hasSize(2);
            button().fire();
            area.getScene().snapshot(null);
            assertThat(shownLegends()).contains("naive", "continuous");
            button().fire();
            second.setData(null);
            assertThat(ChartTile.sharedLegend(List.of(second, other))).isEmpty();
            return null;
        });
    }

    /// The names of legends inside of charts.
    private List<String> shownLegends() {
        return area.lookupAll(".chart-host .legend-item").stream().filter(item -> item.getParent().isVisible())
                .map(item -> ((Label) item).getText()).toList();
    }

    private static ChartData lines(String id, String... names) {
        double[] x = {0, 1, 2};
        return new ChartData(id, id, "", ChartData.Axis.fitted("time, s"), ChartData.Axis.fromZero("ms"),
                new Marks.Lines(IntStream.range(0, names.length)
                        .mapToObj(i -> new ChartData.Line(names[i], ChartData.SeriesStyle.solid(i), x, x)).toList(),
                        false));
    }

    @Test
    void theMenuHasEveryActionWithItsKey() throws Exception {
        List<String> items = fx(() -> tile.host().menu().getItems().stream().filter(item -> item.getText() != null)
                .map(ChartTileTest::described).toList());
        assertThat(items).containsExactly("Export as PNG, SVG or PDF…", "Copy image Ctrl+C",
                "Copy data as TSV Ctrl+Shift+C", "Zoom in +", "Zoom out - off", "Move left Shift+← off",
                "Move right Shift+→ off", "Previous zoom Back Space off", "Next zoom Alt+→ off", "Show all 0 off",
                "Pin values ↵", "Show as table Ctrl+T", "Maximise or restore F", "Series");
    }

    private static String described(MenuItem item) {
        String key = item.getAccelerator() == null ? "" : " " + item.getAccelerator().getDisplayText();
        return item.getText() + key + (item.isDisable() ? " off" : "");
    }

    @Test
    void aDisposedTileOfAGroupIsForgotten() throws Exception {
        ChartGroup group = new ChartGroup();
        WeakReference<ChartTile> gone = fx(() -> {
            tile.join(group);
            key(KeyCode.RIGHT);
            key(KeyCode.F);
            tile.dispose();
            view.getChildren().clear();
            WeakReference<ChartTile> reference = new WeakReference<>(tile);
            tile = new ChartTile(tools, "second", "Second");
            area.show(new Label("other"));
            area.getScene().getRoot().requestFocus();
            area.getScene().snapshot(null);
            return reference;
        });
        for (int i = 0; i < 20 && gone.get() != null; i++) {
            WaitForAsyncUtils.waitForFxEvents();
            System.gc();
        }
        assertThat(gone.get()).isNull();
        assertThat(group).isNotNull();
    }
}
