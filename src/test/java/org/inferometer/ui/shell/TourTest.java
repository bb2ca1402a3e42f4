package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javafx.event.Event;
import javafx.event.EventType;
import javafx.scene.Node;
import javafx.scene.Scene;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.theme.Appearance;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class TourTest {
    @TempDir
    private Path folder;

    private Settings settings;
    private Tour tour;
    private Scene scene;
    private final TextField field = new TextField();

    @BeforeEach
    void open() throws Exception {
        FxToolkit.registerPrimaryStage();
        settings = new Settings(folder.resolve("settings.properties"));
        fx(() -> {
            VBox window = new VBox(10, field);
            for (String id : List.of("rail-bench", "primary-action", "rail-results", "palette-open")) {
                Button button = new Button(id);
                button.setId(id);
                window.getChildren().add(button);
            }
            tour = new Tour(window, settings);
            scene = new Scene(new StackPane(window, tour.view()), 800, 500);
            new Appearance(Shade.LIGHT).dress(scene);
            scene.snapshot(null);
        });
    }

    private static void fx(Runnable action) throws Exception {
        WaitForAsyncUtils.asyncFx(action).get(20, TimeUnit.SECONDS);
    }

    private void press(KeyCode code) {
        for (EventType<KeyEvent> type : List.of(KeyEvent.KEY_PRESSED, KeyEvent.KEY_RELEASED)) {
            Event.fireEvent(scene.getFocusOwner(), new KeyEvent(type, "", "", code, false, false, false, false));
        }
    }

    private String title() {
        scene.snapshot(null);
        return ((Label) tour.view().lookup(".tile-title")).getText();
    }

    @Test
    void fourTipsOutlineWhatTheyAreAbout() throws Exception {
        fx(() -> {
            Node before = scene.lookup("#primary-action");
            before.requestFocus();
            tour.start();
            List<String> titles = new ArrayList<>();
            for (String about : List.of("rail-bench", "primary-action", "rail-results", "palette-open")) {
                titles.add(title());
                Node outlined = scene.lookup("#" + about);
                assertThat(tour.view().lookup(".tour-outline").getLayoutY())
                        .isEqualTo(outlined.localToScene(outlined.getLayoutBounds()).getMinY());
                press(KeyCode.ENTER);
            }
            assertThat(titles).containsExactly("Design and run", "Measure", "Compare", "Find anything");
            assertThat(tour.view().isVisible()).isFalse();
            assertThat(scene.getFocusOwner()).as("the focus is where it was").isSameAs(before);
        });
    }

    @Test
    void escapeSkipsAndItIsNotShownAgainByItself() throws Exception {
        fx(() -> {
            tour.startOnce();
            assertThat(tour.view().isVisible()).isTrue();
            press(KeyCode.ESCAPE);
            assertThat(tour.view().isVisible()).isFalse();
            tour.startOnce();
            new Tour(scene.getRoot(), settings).startOnce();
            assertThat(tour.view().isVisible()).isFalse();
            tour.start();
            assertThat(tour.view().isVisible()).as("asked for").isTrue();
            assertThat(title()).isEqualTo("Design and run");
        });
    }

    @Test
    void aFieldKeepsTheFocus() throws Exception {
        fx(() -> {
            field.requestFocus();
            tour.startOnce();
            assertThat(scene.getFocusOwner()).isSameAs(field);
            ((Button) tour.view().lookup("#tour-skip")).fire();
            assertThat(scene.getFocusOwner()).isSameAs(field);
        });
    }
}
