package org.inferometer.ui.twin;

import java.util.Deque;
import java.util.function.BiConsumer;
import javafx.scene.Scene;
import javafx.scene.control.Button;
import javafx.scene.control.MenuButton;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.ToggleButton;
import org.inferometer.ui.designer.DesignerViewModel;
import org.inferometer.ui.designer.SchedulerChoices.SchedulerChoice;

/// Steps of [DesktopScreenshots] through the form of an experiment.
///
/// @param camera takes a scene and its name without size and theme
record DesignerScreenshots(DesktopScreen[] screen, Deque<Runnable> steps, BiConsumer<Scene, String> camera) {
    void all() {
        steps.add(() -> ((MenuButton) screen[0].scene().lookup("#designer-add-target")).getItems().getFirst().fire());
        steps.add(() -> shoot("2-designer-target"));
        steps.add(() -> ((Button) screen[0].scene().lookup("#target-1-remove")).fire());
        steps.add(() -> {
            DesignerViewModel designer = screen[0].window().bench().designer();
            designer.schedulers().all().forEach(choice -> choice.selected().set(true));
            SchedulerChoice parallel = designer.schedulers().all().stream()
                    .filter(choice -> choice.key().equals("parallel")).findFirst().orElseThrow();
            SchedulerChoice second = designer.schedulers().duplicate(parallel);
            second.options().get(3).text().set("3");
            screen[0].window().bench().designer().workload().requests().text().set("many");
            screen[0].window().bench().designer().check();
        });
        steps.add(() -> shoot("2-designer"));
        steps.add(() -> scrollDown(screen[0].scene(), "#designer"));
        steps.add(() -> shoot("2-designer-below"));
        steps.add(() -> {
            screen[0].window().bench().designer().workload().requests().text().set("25, 50, 100");
            ((ScrollPane) screen[0].scene().lookup("#designer .scroll-pane")).setVvalue(0);
            ((ToggleButton) screen[0].scene().lookup("#scheduler-parallel-2-options")).setSelected(false);
            ((ToggleButton) screen[0].scene().lookup("#scheduler-disaggregated-options")).setSelected(true);
        });
        steps.add(() -> scrollDown(screen[0].scene(), "#designer"));
        steps.add(() -> shoot("2-designer-lanes"));
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
