package org.inferometer.ui.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import javafx.scene.Scene;
import javafx.scene.control.Labeled;
import javafx.scene.layout.Region;
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
