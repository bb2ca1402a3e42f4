package org.inferometer.ui.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javafx.beans.property.SimpleObjectProperty;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.Scene;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import javafx.scene.shape.LineTo;
import javafx.scene.shape.MoveTo;
import javafx.scene.shape.Path;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RunStatus;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.bench.LiveViewModel.Kpi;
import org.inferometer.ui.chart.ChartTools;
import org.inferometer.ui.chart.ChartWindowTwin;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.theme.Appearance;
import org.inferometer.ui.twin.CssFaults;
import org.inferometer.ui.twin.DesktopTwin;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.FileDialogsTwin;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.LibraryTwin;
import org.inferometer.ui.twin.PlainComposer;
import org.inferometer.ui.twin.ScriptedBenchmark;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class LivePaneTest {
    private final InlineUi ui = new InlineUi();
    private final CssFaults faults = new CssFaults();

    @TempDir
    private java.nio.file.Path folder;

    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    private static <T> T fx(Callable<T> action) throws Exception {
        return WaitForAsyncUtils.asyncFx(action).get(20, TimeUnit.SECONDS);
    }

    private record Shown(BenchViewModel bench, Parent root) {
        boolean visible(String id) {
            Node node = root.lookup(id);
            while (node != null && node.isVisible()) {
                node = node.getParent();
            }
            return node == null && root.lookup(id) != null;
        }

        String label(String id) {
            return root.lookup(id) instanceof Label label ? label.getText() : "";
        }
    }

    private Shown shown() throws Exception {
        return fx(() -> {
            faults.listen();
            LibraryTwin library = new LibraryTwin(folder.resolve("results"));
            BenchViewModel bench = new BenchViewModel(DesktopTwin.designer(new ScriptedBenchmark(library, 1)),
                    library.tools(), ui.work(), ui, new SystemClock(), 8, null);
            SimpleObjectProperty<Shade> shade = new SimpleObjectProperty<>(Shade.LIGHT);
            ChartTools tools = new ChartTools(new PlainComposer(), (sheet, picture) -> new byte[0], shade,
                    new FileDialogsTwin(folder), ui.work(), new Notifier() {
                        @Override
                        public void done(String sentence) {}

                        @Override
                        public void problem(String sentence) {}
                    }, ChartWindowTwin.none(), "", "");
            Parent root = (Parent) new LivePane(bench, tools).createView();
            Scene scene = new Scene(root, 1100, 700);
            new Appearance(Shade.LIGHT).dress(scene);
            scene.snapshot(null);
            return new Shown(bench, root);
        });
    }

    @Test
    void chartsSayTheStepUntilTheyHaveData() throws Exception {
        Shown shown = shown();
        LiveRecorder recorder = new LiveRecorder(new SystemClock(), 100, new LiveLog(), manifest -> {});
        ExperimentManifest manifest =
                Experiments.manifest("id", Experiments.QUICK, RunStatus.RUNNING, null, Instant.EPOCH);
        recorder.started(manifest);
        recorder.runStarted(manifest.plan().getFirst());
        fx(() -> {
            shown.bench().live().apply(recorder.snapshot());
            return null;
        });
        assertThat(shown.root().lookup("#live-throughput-chart").getAccessibleText())
                .isEqualTo("loading weights of tiny-fp8");
        assertThat(shown.root().lookupAll(".small-line")).hasSize(4);
        assertThat(faults.all()).isEmpty();
    }

    @Test
    void tilesShowTheLastMinute() throws Exception {
        Shown shown = shown();
        LiveTrends trends = shown.bench().live().trends();
        Path line = (Path) shown.root().lookup("#kpi-tokens .sparkline-line");
        assertThat(line.getElements()).isEmpty();
        fx(() -> {
            for (int second = 0; second < 3; second++) {
                trends.follow(second, Map.of("kpi.tokens", OptionalDouble.of(100)));
            }
            trends.follow(3, Map.of("kpi.tokens", OptionalDouble.of(50)));
            trends.follow(4, Map.of());
            return null;
        });
        assertThat(line.getElements()).as("four values are no course").isEmpty();
        fx(() -> {
            trends.follow(5, Map.of("kpi.tokens", OptionalDouble.of(100)));
            return null;
        });
        assertThat(line.getElements()).extracting(element -> element.getClass().getSimpleName())
                .as("a gap where nothing was measured")
                .containsExactly("MoveTo", "LineTo", "LineTo", "LineTo", "MoveTo");
        LineTo half = (LineTo) line.getElements().get(3);
        MoveTo last = (MoveTo) line.getElements().get(4);
        Region around = (Region) line.getParent();
        assertThat(last.getX()).isEqualTo(around.getWidth() - 1.5);
        assertThat(last.getX() - half.getX()).isEqualTo(2 * (around.getWidth() - 3) / 59, within(1e-9));
        assertThat(last.getY()).isEqualTo(1.5);
        assertThat(half.getY()).isEqualTo(around.getHeight() / 2, within(1e-9));
        assertThat(((Path) shown.root().lookup("#kpi-ttft .sparkline-line")).getElements()).isEmpty();
    }

    @Test
    void aNoteThatFitsTakesOneLine() throws Exception {
        double[] heights = fx(() -> {
            SimpleObjectProperty<Kpi> kpi = new SimpleObjectProperty<>(new Kpi("411", "tok/s", "n = 24", false));
            HBox tiles = LivePane.row(IntStream.range(0, 5)
                    .mapToObj(i -> new KpiTile("kpi.tokens", kpi, new SimpleObjectProperty<>(List.of()))).toList());
            VBox pane = new VBox(tiles);
            Scene scene = new Scene(pane, 1166, 300);
            new Appearance(Shade.LIGHT).dress(scene);
            scene.snapshot(null);
            double before = tiles.getHeight();
            kpi.set(new Kpi("411", "tok/s", "tiny-fp8 · continuous 652 tok/s", false));
            scene.snapshot(null);
            return new double[]{before, tiles.getHeight()};
        });
        assertThat(heights[1]).isEqualTo(heights[0]);
    }

    @Test
    void sparklineFillsTheRestOfItsTile() throws Exception {
        double[] edges = fx(() -> {
            KpiTile tile =
                    new KpiTile("kpi.tokens", new SimpleObjectProperty<>(new Kpi("411", "tok/s", "n = 24", false)),
                            new SimpleObjectProperty<>(List.of()));
            Scene scene = new Scene(new VBox(tile), 600, 300);
            new Appearance(Shade.LIGHT).dress(scene);
            scene.snapshot(null);
            Region line = (Region) tile.lookup(".sparkline");
            HBox row = (HBox) line.getParent();
            Node figure = row.getChildren().getFirst();
            return new double[]{figure.getBoundsInParent().getMaxX() + row.getSpacing(), row.getWidth(),
                    line.getBoundsInParent().getMinX(), line.getBoundsInParent().getMaxX()};
        });
        assertThat(edges[2]).isEqualTo(edges[0], within(1.0));
        assertThat(edges[3]).isEqualTo(edges[1], within(1.0));
    }

    @Test
    void modesShowLessAndLess() throws Exception {
        Shown shown = shown();
        assertThat(shown.visible("#live-throughput")).isTrue();
        assertThat(shown.visible("#live-instead")).isFalse();
        fx(() -> {
            shown.bench().live().choose(LiveMode.LOW_IMPACT);
            return null;
        });
        assertThat(shown.visible("#live-throughput")).isFalse();
        assertThat(shown.visible("#kpi-tokens")).isTrue();
        assertThat(shown.label("#live-instead")).startsWith("Charts are off");
        fx(() -> {
            shown.bench().live().choose(LiveMode.BLACKOUT);
            shown.bench().live()
                    .applyTime(new LiveRecorder(new SystemClock(), 100, new LiveLog(), manifest -> {}).snapshot());
            return null;
        });
        assertThat(shown.visible("#kpi-tokens")).isFalse();
        assertThat(shown.visible("#live-strip")).isFalse();
        assertThat(shown.label("#live-instead")).isEqualTo("Measuring");
    }
}
