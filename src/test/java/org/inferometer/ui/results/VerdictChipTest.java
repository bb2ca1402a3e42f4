package org.inferometer.ui.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javafx.animation.AnimationTimer;
import javafx.event.Event;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.Scene;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.StackPane;
import javafx.scene.paint.Paint;
import javafx.stage.Stage;
import javafx.stage.Window;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.Verdict;
import org.inferometer.results.SampleRecords;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.kordamp.ikonli.javafx.FontIcon;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class VerdictChipTest {
    private static final int FRAMES = 30;
    private static final Verdict INVALID =
            new Verdict(Verdict.Grade.INVALID, List.of(new Verdict.Condition(Verdict.Requirement.OTHER, "punctual",
                    Verdict.State.BROKEN, "4 ms", "Free a core.")));

    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    @Test
    void invalidRunsAreCounted() throws Exception {
        List<CellSummary> cells = SampleRecords.experiment(Path.of("x"), 3).cells().stream()
                .map(cell -> new CellSummary(cell.cellIndex(), cell.cell(), cell.model(), cell.precision(), 3,
                        cell.cellIndex() == 0 ? 2 : 0, cell.figures()))
                .toList();
        String text = WaitForAsyncUtils.asyncFx(() -> VerdictList.chip(INVALID, cells, () -> {}).getText()).get(20,
                TimeUnit.SECONDS);
        assertThat(text).isEqualTo("Invalid: 2 of 12 runs");
    }

    @Test
    void arrowStandsBehindTheWord() throws Exception {
        List<String> parts =
                WaitForAsyncUtils
                        .asyncFx(
                                () -> ((Parent) VerdictList.chip(INVALID, List.of(), () -> {}).getGraphic())
                                        .getChildrenUnmodifiable().stream()
                                        .map(part -> part instanceof Label word ? word.getText()
                                                : ((FontIcon) part).getIconLiteral())
                                        .toList())
                        .get(20, TimeUnit.SECONDS);
        assertThat(parts).containsExactly("mdal-error", "Invalid", "mdal-expand_more");
    }

    @Test
    void shownConditionsHaveTheColourOfTheirState() throws Exception {
        Verdict mixed = new Verdict(Verdict.Grade.INVALID,
                List.of(new Verdict.Condition(Verdict.Requirement.OTHER, "ended", Verdict.State.MET, "all", ""),
                        INVALID.conditions().getFirst()));
        List<Paint> colours = WaitForAsyncUtils.asyncFx(() -> {
            Stage stage = new Stage();
            Label chip = VerdictList.chip(mixed, List.of(), () -> {});
            stage.setScene(new Scene(new StackPane(chip), 600, 400));
            stage.getScene().getStylesheets()
                    .add(VerdictChipTest.class.getResource("/org/inferometer/ui/inferometer.css").toExternalForm());
            stage.show();
            Event.fireEvent(chip,
                    new KeyEvent(KeyEvent.KEY_PRESSED, "", "", KeyCode.ENTER, false, false, false, false));
            List<Paint> shown = Window.getWindows().stream()
                    .flatMap(window -> window.getScene().getRoot().lookupAll("#verdict-conditions .verdict-list")
                            .stream())
                    .peek(Node::applyCss).flatMap(list -> list.lookupAll(".ikonli-font-icon").stream())
                    .map(icon -> ((FontIcon) icon).getIconColor()).toList();
            stage.close();
            return shown;
        }).get(20, TimeUnit.SECONDS);
        assertThat(colours).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void shownConditionsBeginAtTheirTop() throws Exception {
        Verdict many = new Verdict(Verdict.Grade.INVALID,
                Stream.concat(
                        IntStream.range(0, 30)
                                .mapToObj(i -> new Verdict.Condition(Verdict.Requirement.OTHER, "condition " + i,
                                        Verdict.State.MET, "value " + i, "")),
                        Stream.of(new Verdict.Condition(Verdict.Requirement.GENERATOR_CEILING, "ceiling",
                                Verdict.State.NOT_CHECKED, "", "Run selfcheck once on this machine.")))
                        .toList());
        Stage[] stage = new Stage[1];
        WaitForAsyncUtils.asyncFx(() -> {
            stage[0] = new Stage();
            Label chip = VerdictList.chip(many, List.of(), () -> {});
            stage[0].setScene(new Scene(new StackPane(chip), 600, 400));
            stage[0].show();
            Event.fireEvent(chip,
                    new KeyEvent(KeyEvent.KEY_PRESSED, "", "", KeyCode.ENTER, false, false, false, false));
        }).get(20, TimeUnit.SECONDS);
        awaitFrames();
        ScrollPane conditions = WaitForAsyncUtils
                .asyncFx(() -> Window.getWindows().stream()
                        .map(window -> window.getScene().getRoot().lookup("#verdict-conditions"))
                        .filter(ScrollPane.class::isInstance).map(ScrollPane.class::cast).findFirst().orElseThrow())
                .get(20, TimeUnit.SECONDS);
        double shownFrom = conditions.getVvalue();
        WaitForAsyncUtils.asyncFx(() -> stage[0].close()).get(20, TimeUnit.SECONDS);
        assertThat(conditions.lookupAll(".hyperlink")).isNotEmpty();
        assertThat(conditions.getContent().getLayoutBounds().getHeight())
                .isGreaterThan(conditions.getViewportBounds().getHeight());
        assertThat(shownFrom).isZero();
    }

    /// A scroll pane follows the focus some frames after its window is shown.
    private static void awaitFrames() throws Exception {
        CompletableFuture<Boolean> drawn = new CompletableFuture<>();
        WaitForAsyncUtils.asyncFx(() -> new AnimationTimer() {
            private int frames;

            @Override
            public void handle(long nanos) {
                frames++;
                if (frames == FRAMES) {
                    stop();
                    drawn.complete(true);
                }
            }
        }.start()).get(20, TimeUnit.SECONDS);
        drawn.get(20, TimeUnit.SECONDS);
    }

    @Test
    void enterShowsTheConditions() throws Exception {
        List<String> words = WaitForAsyncUtils.asyncFx(() -> {
            Stage stage = new Stage();
            Label chip = VerdictList.chip(INVALID, List.of(), () -> {});
            stage.setScene(new Scene(new StackPane(chip), 600, 400));
            stage.show();
            Event.fireEvent(chip,
                    new KeyEvent(KeyEvent.KEY_PRESSED, "", "", KeyCode.ENTER, false, false, false, false));
            List<String> shown = Window.getWindows().stream()
                    .flatMap(window -> window.getScene().getRoot().lookupAll("#verdict-conditions").stream())
                    .map(conditions -> conditions.getId()).toList();
            stage.close();
            return shown;
        }).get(20, TimeUnit.SECONDS);
        assertThat(words).containsExactly("verdict-conditions");
    }
}
