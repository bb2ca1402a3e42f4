package org.inferometer.ui.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import javafx.beans.property.SimpleObjectProperty;
import javafx.geometry.Bounds;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.Scene;
import javafx.scene.control.Button;
import javafx.scene.control.CheckBox;
import javafx.scene.control.CheckMenuItem;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.TableView;
import javafx.scene.layout.Region;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.chart.ChartHost;
import org.inferometer.ui.chart.ChartTools;
import org.inferometer.ui.chart.ChartWindowTwin;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.theme.Appearance;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.FileDialogsTwin;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.LibraryTwin;
import org.inferometer.ui.twin.PlainComposer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class ComparisonPaneTest {
    private static final int WIDTH = 1196;
    /// Below menu, top bar and above the status bar of a window of 720 pixels.
    private static final int HEIGHT = 602;
    private static final String LONG = "2026-11-22_080000_an-experiment-with-a-name-that-goes-on-and-on-for-ever";

    @TempDir
    Path folder;

    private ComparisonViewModel model;
    private ComparisonPane pane;
    private Parent view;

    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    @BeforeEach
    void create() throws Exception {
        LibraryTwin library = new LibraryTwin(folder.resolve("results"));
        ExperimentRecord record = Experiments.paired(library.folder().resolve(LONG), LONG);
        library.add(record);
        ResultRow row = new ResultRow(ResultRow.Origin.OWN, record.folder(), Optional.of(record.manifest()), "");
        Notifier silent = new Notifier() {
            @Override
            public void done(String sentence) {}

            @Override
            public void problem(String sentence) {}
        };
        onFx(() -> {
            ChartTools tools = new ChartTools(new PlainComposer(), (sheet, picture) -> new byte[0],
                    new SimpleObjectProperty<>(Shade.LIGHT), new FileDialogsTwin(folder), new InlineUi().work(), silent,
                    ChartWindowTwin.none(), "", "");
            model = new ComparisonViewModel(library.tools(), new InlineUi().work(), known -> true);
            pane = new ComparisonPane(model, new ReportSaver(tools, library.tools().reports()));
            view = (Parent) pane.createView();
            Scene scene = new Scene(view, WIDTH, HEIGHT);
            new Appearance(Shade.LIGHT).dress(scene);
            model.open(row, row);
            model.base().part().set(model.base().parts().get(1));
            return layOut();
        });
    }

    private boolean layOut() {
        view.applyCss();
        view.layout();
        return true;
    }

    private static <T> T onFx(Callable<T> action) throws Exception {
        return WaitForAsyncUtils.asyncFx(action).get(20, TimeUnit.SECONDS);
    }

    private String text(String id) {
        return ((Label) view.lookup(id)).getText();
    }

    private Bounds bounds(Node node) {
        return view.sceneToLocal(node.localToScene(node.getBoundsInLocal()));
    }

    @Test
    void answerAndTwoChartsAreOnTheFirstScreen() throws Exception {
        onFx(() -> {
            assertThat(text("#comparison-title")).isEqualTo("continuous against naive");
            assertThat(text("#comparison-headline")).matches("continuous .* faster.*\\.");
            assertThat(view.lookup("#comparison-answer").lookupAll(".label"))
                    .extracting(each -> ((Label) each).getText()).contains("Comparable",
                            "Differs: scheduler naive → continuous. Same: model, workload, seeds, device, "
                                    + "backend, limits, definitions.");
            Bounds ratios = bounds(view.lookup("#comparison-ratios"));
            Bounds distribution = bounds(view.lookup("#comparison-ttft-ecdf"));
            assertThat(ratios.getMaxY()).isLessThanOrEqualTo(HEIGHT);
            assertThat(distribution.getMinY()).isEqualTo(ratios.getMinY());
            assertThat(distribution.getMinX()).isGreaterThan(ratios.getMaxX());
            assertThat(distribution.getMaxX()).isLessThanOrEqualTo(WIDTH);
            assertThat(bounds(view.lookup(".pair-verdict")).getMinY()).isGreaterThan(ratios.getMaxY());
            assertThat(List.of("#comparison-itl-ecdf", "#comparison-e2e-ecdf", "#comparison-runs"))
                    .allMatch(id -> view.lookup(id) != null);
            return true;
        });
    }

    @Test
    void settingsThatDifferAreShownAndAllOnRequest() throws Exception {
        onFx(() -> {
            assertThat(pane.showSettings()).isTrue();
            assertThat(view.getScene().getFocusOwner().getId()).isEqualTo("comparison-all-settings");
            TableView<?> few = (TableView<?>) view.lookup("#comparison-settings").lookup(".table-view");
            assertThat(few.getItems()).extracting(Object::toString).containsExactly("[Settings]",
                    "[  scheduler, naive, continuous]");
            ((CheckBox) view.lookup("#comparison-all-settings")).fire();
            layOut();
            TableView<?> all = (TableView<?>) view.lookup("#comparison-settings").lookup(".table-view");
            assertThat(all.getItems()).extracting(Object::toString).contains("[Environment]",
                    "[  engine, tiny-int4, tiny-int4]");
            model.close();
            assertThat(pane.showSettings()).isFalse();
            return true;
        });
    }

    @Test
    void longNamesLeaveTheButtonsWhole() throws Exception {
        onFx(() -> {
            for (String id : List.of("#comparison-copy", "#comparison-save", "#comparison-close", "#comparison-swap",
                    "#comparison-more")) {
                Region button = (Region) view.lookup(id);
                assertThat(button.getWidth()).as(id).isGreaterThanOrEqualTo(Math.floor(button.prefWidth(-1)));
                assertThat(bounds(button).getMaxX()).as(id).isLessThanOrEqualTo(WIDTH);
            }
            return true;
        });
    }

    @Test
    void chartsAreDisposedWhenTheComparisonCloses() throws Exception {
        onFx(() -> {
            ChartHost host = (ChartHost) view.lookup("#comparison-ratios-chart");
            assertThat(host.data()).isNotNull();
            model.close();
            assertThat(host.data()).isNull();
            assertThat(model.title().get()).isEmpty();
            assertThat(view.lookup("#comparison-ratios")).isNull();
            return true;
        });
    }

    @Test
    void furtherResultsAreChosenInAMenu() throws Exception {
        ResultRow row = model.base().result().get();
        ResultRow other = new ResultRow(ResultRow.Origin.OWN, row.folder().resolveSibling("other"), row.manifest(), "");
        onFx(() -> {
            new LibraryTwin(folder.resolve("results")).add(Experiments.paired(other.folder(), "other"));
            pane.offer(List.of(row, other));
            MenuButton more = (MenuButton) view.lookup("#comparison-more");
            assertThat(more.getText()).isEqualTo("Add");
            CheckMenuItem item = (CheckMenuItem) more.getItems().getLast();
            item.setSelected(true);
            item.fire();
            return layOut();
        });
        onFx(() -> {
            assertThat(model.more()).containsExactly(other);
            assertThat(((MenuButton) view.lookup("#comparison-more")).getText()).isEqualTo("+1 result");
            assertThat(text("#comparison-title"))
                    .isEqualTo("3 candidates against naive · an-experiment-with-a-name-that-goes-on-and-on-for-ever");
            return true;
        });
    }

    @Test
    void whatHoldsForAllPairsIsSaidOnce() throws Exception {
        onFx(() -> {
            model.base().part().set(model.base().parts().getFirst());
            ResultRow row = model.base().result().get();
            ResultRow other =
                    new ResultRow(ResultRow.Origin.OWN, row.folder().resolveSibling("other"), row.manifest(), "");
            new LibraryTwin(folder.resolve("results")).add(Experiments.paired(other.folder(), "other"));
            model.open(row, other);
            return layOut();
        });
        onFx(() -> {
            assertThat(text("#comparison-title")).isEqualTo(
                    "other against an-experiment-with-a-name-that-goes-on-and-on-for-ever, 2 pairs of cells");
            assertThat(view.lookupAll(".text-small")).extracting(each -> ((Label) each).getText())
                    .filteredOn(note -> note.startsWith("± and intervals")).hasSize(1);
            return true;
        });
    }

    @Test
    void gateChangesWithoutDrawingAgain() throws Exception {
        onFx(() -> {
            Node chart = view.lookup("#comparison-ratios");
            model.strict().set(true);
            assertThat(view.lookup("#comparison-ratios")).isSameAs(chart);
            return true;
        });
    }

    @Test
    void reportIsSavedWithItsCommand() throws Exception {
        onFx(() -> {
            ((Button) view.lookup("#comparison-save")).fire();
            return true;
        });
        assertThat(folder.resolve("comparison.html")).content().contains("continuous against naive",
                "inferometer compare " + LONG + "#1 " + LONG);
    }
}
