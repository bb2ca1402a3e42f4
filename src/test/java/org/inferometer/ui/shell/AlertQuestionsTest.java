package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import javafx.application.Platform;
import javafx.scene.Scene;
import javafx.scene.control.Button;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.fx.Questions.Answer;
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

    /// The answers that are shown whole with large texts.
    private static List<String> whole(BiConsumer<QuestionTwin, Consumer<Scene>> question) throws Exception {
        CompletableFuture<List<String>> whole = new CompletableFuture<>();
        Platform.runLater(() -> {
            Appearance appearance = new Appearance(Shade.LIGHT);
            appearance.setTextSize(new TextSize(150));
            question.accept(new QuestionTwin(null, appearance), scene -> {
                scene.snapshot(null);
                whole.complete(scene.getRoot().lookupAll(".button").stream().map(Button.class::cast)
                        .filter(button -> !button.isTextTruncated()
                                && button.localToScene(button.getLayoutBounds()).getMinX() >= 0
                                && button.localToScene(button.getLayoutBounds()).getMaxX() <= scene.getWidth())
                        .map(Button::getText).toList());
            });
        });
        return whole.get(20, TimeUnit.SECONDS);
    }

    @Test
    void answersAreWholeInLargeTexts() throws Exception {
        assertThat(whole(QuestionTwin::beside)).containsExactlyInAnyOrder("Do it afterwards", "Do it now", "Cancel");
        assertThat(whole(QuestionTwin::quit)).containsExactlyInAnyOrder("Leave running in background", "Stop and quit",
                "Cancel");
        List<Answer<Integer>> stop = List.of(new Answer<>(1, "a", "Stop and keep 123456 requests", Answer.Look.PLAIN),
                new Answer<>(2, "b", "Discard experiment", Answer.Look.DANGER),
                new Answer<>(3, "c", "Keep running", Answer.Look.DEFAULT));
        assertThat(whole((twin, seen) -> twin.choose("Stop?", "Runs: 1 of 4.", stop, seen)))
                .containsExactlyInAnyOrder("Stop and keep 123456 requests", "Discard experiment", "Keep running");
    }
}
