package org.inferometer.ui.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javafx.scene.Scene;
import javafx.scene.control.Labeled;
import javafx.scene.layout.Pane;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import org.inferometer.measurement.definitions.Definition;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.theme.Appearance;
import org.inferometer.ui.theme.TextSize;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.InlineUi;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class DefinitionPaneTest {
    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    @Test
    void failureTakesTheTableOfTheToolBeforeAway() throws Exception {
        WaitForAsyncUtils.asyncFx(() -> {
            DefinitionViewModel model =
                    new DefinitionViewModel(Experiments.virtual(Path.of("results")), new InlineUi().work());
            Region pane = new DefinitionPane(model).createView();
            new Scene(pane);
            assertThat(pane.lookup("#definition-table")).isNotNull();
            model.definition().set(null);
            assertThat(model.problem().get()).isNotEmpty();
            assertThat(pane.lookup("#definition-table")).isNull();
            assertThat(pane.lookup(".callout-danger").isVisible()).isTrue();
            return true;
        }).get(20, TimeUnit.SECONDS);
    }

    @Test
    void boxesThatDoNotFitARowStandBelowEachOther() throws Exception {
        List<Double> tops = WaitForAsyncUtils.asyncFx(() -> {
            DefinitionViewModel model =
                    new DefinitionViewModel(Experiments.virtual(Path.of("results")), new InlineUi().work());
            Appearance appearance = new Appearance(Shade.LIGHT);
            Region pane = new DefinitionPane(model).createView();
            Scene scene = new Scene(new StackPane(pane), 740, 600);
            appearance.dress(scene);
            scene.snapshot(null);
            double beside = top(scene);
            appearance.setTextSize(new TextSize(150));
            scene.snapshot(null);
            Region run = (Region) scene.lookup("#definition-run");
            assertThat(run.getWidth()).isGreaterThanOrEqualTo(Math.floor(run.prefWidth(-1)));
            return List.of(beside, Math.signum(top(scene)));
        }).get(20, TimeUnit.SECONDS);
        assertThat(tops).containsExactly(0.0, 1.0);
    }

    /// How much lower the second row of boxes begins.
    private static double top(Scene scene) {
        Pane choices = (Pane) scene.lookup("#definition-choices");
        return choices.getChildren().getLast().getLayoutY() - choices.getChildren().getFirst().getLayoutY();
    }

    @Test
    void everyToolIsNamedWholeInLargeTexts() throws Exception {
        WaitForAsyncUtils.asyncFx(() -> {
            DefinitionViewModel model =
                    new DefinitionViewModel(Experiments.virtual(Path.of("results")), new InlineUi().work());
            Appearance appearance = new Appearance(Shade.LIGHT);
            appearance.setTextSize(new TextSize(150));
            Scene scene = new Scene(new DefinitionPane(model).createView(), 740, 400);
            appearance.dress(scene);
            for (Definition tool : Definition.values()) {
                model.definition().set(tool);
                scene.snapshot(null);
                Labeled shown =
                        scene.lookup("#definition-tool").lookupAll(".list-cell").stream().map(Labeled.class::cast)
                                .filter(cell -> tool.label().equals(cell.getText())).findFirst().orElseThrow();
                assertThat(shown.isTextTruncated()).as(tool.label()).isFalse();
            }
            return true;
        }).get(20, TimeUnit.SECONDS);
    }
}
