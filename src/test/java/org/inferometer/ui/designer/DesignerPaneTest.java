package org.inferometer.ui.designer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.Scene;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.TextField;
import javafx.scene.control.ToggleButton;
import javafx.stage.Stage;
import org.inferometer.experiment.ExperimentFields;
import org.inferometer.options.Selection;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.theme.Appearance;
import org.inferometer.ui.twin.DesktopTwin;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.LibraryTwin;
import org.inferometer.ui.twin.ScriptedBenchmark;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class DesignerPaneTest {
    private static final int WIDTH = 340;
    private static final int HEIGHT = 600;
    private DesignerViewModel model;
    private Parent view;
    private Stage stage;

    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    @BeforeEach
    void create() throws Exception {
        LibraryTwin library = new LibraryTwin(Path.of("no-such-folder", "results"));
        onFx(() -> {
            model = new DesignerViewModel(DesktopTwin.designer(new ScriptedBenchmark(library, 0)),
                    new InlineUi().work(), null);
            model.setEngines(DesktopTwin.engines());
            model.load(ExperimentFields.BACKEND.with(Experiments.QUICK, List.of(Selection.parse("host:threads=2"))));
            Notifier silent = new Notifier() {
                @Override
                public void done(String sentence) {}

                @Override
                public void problem(String sentence) {}
            };
            view = (Parent) new DesignerPane(model, Optional::empty, silent, () -> {}).createView();
            stage = new Stage();
            stage.setScene(new Scene(view, WIDTH, HEIGHT));
            new Appearance(Shade.LIGHT).dress(stage.getScene());
            stage.show();
            return true;
        });
    }

    @AfterEach
    void close() throws Exception {
        onFx(() -> {
            stage.hide();
            return true;
        });
    }

    private static <T> T onFx(Callable<T> action) throws Exception {
        return WaitForAsyncUtils.asyncFx(action).get(20, TimeUnit.SECONDS);
    }

    /// Options that are shown, those that differ from their defaults first.
    private List<String> shown() {
        return List.of("#backend-lanes", "#backend-threads").stream().filter(id -> isShown(view.lookup(id))).toList();
    }

    private static boolean isShown(Node node) {
        return node == null || (node.isVisible() && isShown(node.getParent()));
    }

    @Test
    void onlyOptionsThatDifferAreShownAtFirst() throws Exception {
        onFx(() -> {
            ToggleButton fold = (ToggleButton) view.lookup("#designer-backend-options");
            assertThat(shown()).containsExactly("#backend-threads");
            assertThat(fold.getText()).isEqualTo("1 option");
            fold.setSelected(true);
            assertThat(shown()).containsExactly("#backend-lanes", "#backend-threads");
            ((TextField) view.lookup("#backend-lanes")).setText("2");
            assertThat(fold.getText()).as("while unfolded nothing moves").isEqualTo("1 option");
            fold.setSelected(false);
            assertThat(shown()).as("both differ").containsExactly("#backend-lanes", "#backend-threads");
            assertThat(fold.isVisible()).isFalse();
            model.load(Experiments.QUICK);
            assertThat(shown()).as("of another preset").isEmpty();
            assertThat(fold.getText()).isEqualTo("2 options");
            return true;
        });
    }

    @Test
    void theFooterNamesTheFaultAndLeadsToItsField() throws Exception {
        onFx(() -> {
            model.limitFields().get(1).text().set("none");
            Hyperlink fault = (Hyperlink) view.lookup("#fault-field-limits-max-batch-size");
            assertThat(fault.getText()).startsWith("Requests in a step: \"none\" is not a whole number");
            assertThat(isShown(view.lookup("#designer-estimate"))).isFalse();
            fault.fire();
            assertThat(stage.getScene().getFocusOwner()).isSameAs(view.lookup("#field-limits-max-batch-size"));
            model.limitFields().get(1).text().set("4");
            assertThat(isShown(view.lookup("#designer-faults"))).isFalse();
            assertThat(isShown(view.lookup("#designer-estimate"))).isTrue();
            return true;
        });
    }

    @Test
    void aFaultOfASelectionLeadsToItsFirstBox() throws Exception {
        onFx(() -> {
            model.engines().all().forEach(choice -> choice.selected().set(false));
            ((Hyperlink) view.lookup("#fault-designer-engines")).fire();
            assertThat(stage.getScene().getFocusOwner()).isSameAs(view.lookup("#engine-tiny-bf16"));
            return true;
        });
    }
}
