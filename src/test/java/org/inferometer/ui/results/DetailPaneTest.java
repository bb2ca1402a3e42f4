package org.inferometer.ui.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.property.SimpleObjectProperty;
import javafx.scene.Parent;
import javafx.scene.Scene;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.control.TabPane;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import javafx.scene.control.TextField;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.stage.Stage;
import org.inferometer.measurement.definitions.Definition;
import org.inferometer.report.Finding;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.report.requests.RequestColumn;
import org.inferometer.report.requests.RequestListing;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.ui.chart.ChartTools;
import org.inferometer.ui.chart.ChartWindowTwin;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.FileDialogsTwin;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.PlainComposer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class DetailPaneTest {
    private static final DetailPane.DetailActions NO_ACTIONS = new DetailPane.DetailActions(() -> {}, () -> {},
            format -> {}, () -> {}, run -> {}, (run, request) -> {}, () -> {});

    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    private static <T> T onFx(Callable<T> action) throws Exception {
        return WaitForAsyncUtils.asyncFx(action).get(20, TimeUnit.SECONDS);
    }

    private static DetailPane pane() {
        Notifier silent = new Notifier() {
            @Override
            public void done(String sentence) {}

            @Override
            public void problem(String sentence) {}
        };
        ChartTools tools = new ChartTools(new PlainComposer(), (sheet, picture) -> new byte[0],
                new SimpleObjectProperty<>(Shade.LIGHT), new FileDialogsTwin(Path.of("target")), new InlineUi().work(),
                silent, ChartWindowTwin.none(), "", "");
        var record = Experiments.virtual(Path.of("results", "schedulers"));
        OpenedExperiment read = OpenedExperiment.of(ResultRow.Origin.OWN, record, SchedulerRegistry.standard());
        Finding queue = new Finding("It waits.", "Requests running and waiting", List.of("requests-in-system*"));
        return new DetailPane(tools,
                new OpenedExperiment(read.origin(), record, List.of(Finding.of("It answers."), queue), read.leading(),
                        read.tables(), read.explanations(), read.ended()),
                new ReadOnlyStringWrapper("schedulers"), new Settings(Path.of("no-such-folder", "settings")));
    }

    private static void collectGarbage() {
        WeakReference<Object> gone = new WeakReference<>(new Object());
        for (int i = 0; i < 50 && gone.get() != null; i++) {
            System.gc();
        }
        assertThat(gone.get()).isNull();
    }

    @Test
    void definitionsAnswerAfterAGarbageCollection() throws Exception {
        DetailPane pane = onFx(DetailPaneTest::pane);
        Parent view = onFx(() -> {
            Parent made = (Parent) pane.createView(NO_ACTIONS);
            new Scene(made, 1100, 700);
            made.applyCss();
            made.layout();
            TabPane tabs = (TabPane) made.lookup("#detail-tabs");
            tabs.getSelectionModel().select(4);
            made.applyCss();
            made.layout();
            return made;
        });
        WaitForAsyncUtils.waitForFxEvents();
        // The view knows its model by weak references alone, so whoever is open keeps it.
        assertThat(pane).extracting("definitionPane").isInstanceOf(DefinitionPane.class).extracting("model")
                .isInstanceOf(DefinitionViewModel.class);
        collectGarbage();
        onFx(() -> {
            @SuppressWarnings("unchecked") ComboBox<Definition> tool =
                    (ComboBox<Definition>) view.lookup("#definition-tool");
            assertThat(((TableView<?>) view.lookup("#definition-table")).getColumns()).hasSizeLessThan(6);
            tool.setValue(Definition.GUIDELLM);
            assertThat(((TableView<?>) view.lookup("#definition-table")).getColumns()).hasSize(6);
            return true;
        });
        Reference.reachabilityFence(pane);
    }

    @Test
    void theLinkOfAFindingOpensItsChart() throws Exception {
        Stage stage = onFx(Stage::new);
        Parent view = onFx(() -> {
            Parent made = (Parent) pane().createView(NO_ACTIONS);
            stage.setScene(new Scene(made, 1100, 700));
            stage.show();
            made.applyCss();
            made.layout();
            made.lookupAll("#overview-finding-chart").stream().map(Hyperlink.class::cast)
                    .filter(link -> link.getText().equals("Chart: Requests running and waiting")).findFirst()
                    .orElseThrow().fire();
            return made;
        });
        WaitForAsyncUtils.waitFor(20, TimeUnit.SECONDS, () -> onFx(() -> view.getScene().getFocusOwner() != null
                && String.valueOf(view.getScene().getFocusOwner().getId()).startsWith("detail-requests-in-system")));
        onFx(() -> {
            assertThat(((TabPane) view.lookup("#detail-tabs")).getSelectionModel().getSelectedIndex()).isEqualTo(1);
            stage.close();
            return true;
        });
    }

    @Test
    void aLongNameIsReadWhole() throws Exception {
        onFx(() -> {
            Parent made = (Parent) pane().createView(NO_ACTIONS);
            new Scene(made, 1196, 700);
            made.applyCss();
            made.layout();
            assertThat(((Label) made.lookup("#detail-title")).isTextTruncated()).isFalse();
            return true;
        });
    }

    @Test
    void requestsAreSortedFilteredAndOpened() throws Exception {
        List<Integer> opened = new ArrayList<>();
        onFx(() -> {
            DetailPane pane = pane();
            Parent made = (Parent) pane.createView(new DetailPane.DetailActions(() -> {}, () -> {}, format -> {},
                    () -> {}, run -> {}, (run, request) -> opened.addAll(List.of(run, request)), () -> {}));
            new Scene(made, 1100, 700);
            TabPane tabs = (TabPane) made.lookup("#detail-tabs");
            tabs.getSelectionModel().select(3);
            made.applyCss();
            made.layout();
            @SuppressWarnings("unchecked") TableView<RequestListing.Row> table =
                    (TableView<RequestListing.Row>) made.lookup("#requests-table");
            int all = table.getItems().size();
            var e2e = table.getColumns().get(RequestColumn.E2E.ordinal());
            e2e.setSortType(TableColumn.SortType.DESCENDING);
            table.getSortOrder().setAll(List.of(e2e));
            double slowest = table.getItems().get(0).value(RequestColumn.E2E);
            assertThat(table.getItems()).allMatch(row -> !(row.value(RequestColumn.E2E) > slowest));
            TextField filter = (TextField) made.lookup("#requests-filter");
            filter.setText("e2e >= " + slowest / 1e6 + "ms");
            assertThat(table.getItems().size()).isPositive().isLessThan(all);
            filter.setText("slow");
            assertThat(((Label) made.lookup("#requests-problem")).getText()).startsWith("\"slow\" is not a condition.");
            table.getSelectionModel().select(0);
            table.getOnKeyPressed()
                    .handle(new KeyEvent(KeyEvent.KEY_PRESSED, "", "", KeyCode.ENTER, false, false, false, false));
            RequestListing.Row first = table.getItems().get(0);
            assertThat(opened).containsExactly(first.runIndex(), first.request().id().index());
            return true;
        });
    }
}
