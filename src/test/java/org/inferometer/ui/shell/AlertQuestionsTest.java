package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javafx.application.Platform;
import javafx.scene.control.Button;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.theme.Appearance;
import org.inferometer.ui.theme.TextSize;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;

class AlertQuestionsTest {
    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    @Test
    void answersAreWholeInLargeTexts() throws Exception {
        CompletableFuture<List<String>> whole = new CompletableFuture<>();
        Platform.runLater(() -> {
            Appearance appearance = new Appearance(Shade.LIGHT);
            appearance.setTextSize(new TextSize(150));
            new QuestionTwin(null, appearance).beside(scene -> {
                scene.snapshot(null);
                whole.complete(scene.getRoot().lookupAll(".button").stream().map(Button.class::cast)
                        .filter(button -> !button.isTextTruncated()).map(Button::getText).toList());
            });
        });
        assertThat(whole.get(20, TimeUnit.SECONDS)).containsExactlyInAnyOrder("Do it afterwards", "Do it now",
                "Cancel");
    }
}
