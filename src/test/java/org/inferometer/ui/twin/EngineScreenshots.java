package org.inferometer.ui.twin;

import java.util.Deque;
import java.util.function.BiConsumer;
import javafx.scene.Scene;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuButton;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.TabPane;
import javafx.scene.layout.Pane;
import javafx.stage.Window;
import org.inferometer.quantising.EngineKind;

/// Steps of [DesktopScreenshots] through the engines and a suite.
///
/// @param camera takes a scene and its name without size and theme
record EngineScreenshots(DesktopScreen[] screen, Deque<Runnable> steps, BiConsumer<Scene, String> camera) {
    void all() {
        engines();
        suites();
    }

    /// The engines, and the question for a text.
    private void engines() {
        steps.add(() -> screen[0].window().showEngines());
        steps.add(() -> {});
        steps.add(() -> shoot("14-engines"));
        steps.add(() -> {
            MenuButton from = (MenuButton) screen[0].scene().lookup("#engines-checkpoint");
            ((Menu) from.getItems().getFirst()).getItems().get(EngineKind.INT4_AWQ.ordinal()).fire();
        });
        steps.add(() -> {
            Scene dialog = Window.getWindows().getLast().getScene();
            camera.accept(dialog, "14-engines-calibration");
            dialog.getWindow().hide();
        });
        steps.add(() -> scrollDown(screen[0].scene(), "#engine-detail"));
        steps.add(() -> shoot("14-engines-below"));
    }

    /// A suite with findings, before and after it is run.
    private void suites() {
        steps.add(() -> screen[0].window().showSuites());
        steps.add(() -> shoot("15-suites-empty"));
        steps.add(() -> screen[0].window().suites().open(TestSuites.written(screen[0].library().folder())));
        steps.add(() -> {});
        steps.add(() -> shoot("15-suites"));
        steps.add(() -> ((TabPane) screen[0].scene().lookup("#suite-tabs")).getSelectionModel().select(1));
        steps.add(() -> {});
        steps.add(() -> shoot("15-suites-fields"));
        steps.add(() -> {
            screen[0].window().suites().run(phrases -> true);
            screen[0].service().goOn();
        });
        steps.add(() -> {});
        steps.add(() -> screen[0].service().goOn());
        steps.add(() -> {});
        steps.add(() -> shoot("15-suites-run"));
        // As after twenty seconds.
        steps.add(() -> ((Pane) screen[0].scene().lookup("#notices")).getChildren().clear());
    }

    private static void scrollDown(Scene scene, String id) {
        if (scene.lookup(id + " .scroll-pane") instanceof ScrollPane pane) {
            pane.setVvalue(1);
        }
    }

    private void shoot(String name) {
        camera.accept(screen[0].scene(), name);
    }
}
