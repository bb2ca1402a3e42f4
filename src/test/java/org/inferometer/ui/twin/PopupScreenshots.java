package org.inferometer.ui.twin;

import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;
import javafx.scene.Node;
import javafx.scene.Scene;
import javafx.scene.control.Button;
import javafx.scene.control.ComboBoxBase;
import javafx.scene.control.ContextMenu;
import javafx.scene.control.Control;
import javafx.scene.control.MenuBar;
import javafx.scene.control.MenuButton;
import javafx.scene.control.TabPane;
import javafx.scene.control.TableView;
import javafx.scene.control.TextField;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.stage.Stage;
import javafx.stage.Window;
import org.inferometer.ui.shell.QuestionTwin;
import org.jspecify.annotations.Nullable;

/// Steps of [DesktopScreenshots] through menus, choosers, questions and forms that open over a view. They need a window that is shown.
///
/// @param camera takes a scene and its name without size and theme
record PopupScreenshots(DesktopScreen[] screen, Deque<Runnable> steps, BiConsumer<Scene, String> camera) {
    void all() {
        Stage[] own = new Stage[1];
        steps.add(() -> own[0] = shown());
        bench();
        results();
        timeline();
        tour();
        questions();
        steps.add(() -> {
            if (own[0] != null) {
                own[0].setScene(null);
                own[0].hide();
            }
        });
    }

    /// A window for a scene that has none: those larger than the headless screen. Its size is not that of the pictures.
    private @Nullable Stage shown() {
        if (screen[0].scene().getWindow() != null) {
            return null;
        }
        Stage stage = new Stage();
        stage.setScene(screen[0].scene());
        stage.show();
        return stage;
    }

    private void bench() {
        steps.add(() -> screen[0].window().showBench());
        steps.add(() -> {});
        for (String menu : List.of("designer-experiment", "designer-experiment-more", "designer-preset",
                "designer-backend", "designer-add-target")) {
            popup(menu);
        }
        steps.add(() -> ((MenuButton) lookup("#designer-experiment-more")).getItems().getFirst().fire());
        steps.add(() -> {});
        steps.add(() -> camera.accept(screen[0].scene(), "22-save-preset"));
        steps.add(() -> ((Button) lookup("#designer-experiment-cancel")).fire());
        steps.add(() -> screen[0].window().openPalette());
        steps.add(() -> ((TextField) lookup("#palette-text")).setText("export"));
        steps.add(() -> camera.accept(screen[0].scene(), "22-palette-found"));
        steps.add(() -> lookup("#palette-text")
                .fireEvent(new KeyEvent(KeyEvent.KEY_PRESSED, "", "", KeyCode.ESCAPE, false, false, false, false)));
    }

    private void results() {
        steps.add(() -> screen[0].window().showResults());
        steps.add(() -> {});
        if (!"Headless".equals(System.getProperty("glass.platform"))) {
            // It is as high as the headless screen, and a menu that leaves that screen ends the walk.
            popup("results-facets");
        }
        steps.add(() -> screen[0].window().openResult(screen[0].library().folder().resolve("paired")));
        steps.add(() -> {});
        popup("detail-export");
        steps.add(() -> ((TabPane) lookup("#detail-tabs")).getSelectionModel().select(4));
        for (int wait = 0; wait < 3; wait++) {
            steps.add(() -> {});
        }
        steps.add(() -> camera.accept(screen[0].scene(), "22-definition"));
        popup("definition-tool");
        steps.add(() -> ((Button) lookup("#detail-compare")).fire());
        steps.add(() -> {});
        popup("comparison-more");
        popup("comparison-base");
        steps.add(() -> ((Button) lookup("#comparison-close")).fire());
        steps.add(() -> screen[0].window().results().close());
        steps.add(() -> ((TableView<?>) lookup("#results-table")).getSelectionModel().select(0));
        steps.add(() -> {
            ContextMenu menu = ((Control) lookup("#results-table")).getContextMenu();
            menu.show(lookup("#results-table"), 200, 200);
        });
        steps.add(() -> shootAndHide("22-results-menu"));
        steps.add(() -> ((Control) lookup("#results-table")).getContextMenu().getItems().stream()
                .filter(item -> "results-menu-notes".equals(item.getId())).findFirst().orElseThrow().fire());
        steps.add(() -> {});
        steps.add(() -> shootAndHide("22-notes"));
    }

    private void tour() {
        steps.add(() -> screen[0].window().showBench());
        steps.add(() -> ((MenuBar) lookup("#menu-bar")).getMenus().getLast().getItems().getFirst().fire());
        for (int tip = 1; tip <= 4; tip++) {
            String name = "22-tour-" + tip;
            steps.add(() -> {});
            steps.add(() -> camera.accept(screen[0].scene(), name));
            steps.add(() -> ((Button) lookup("#tour-next")).fire());
        }
    }

    private void timeline() {
        steps.add(() -> screen[0].window().openResult(screen[0].schedulers().folder()));
        steps.add(() -> screen[0].window().showTimeline());
        steps.add(() -> {});
        for (String menu : List.of("timeline-run", "timeline-filter", "timeline-rows-menu", "timeline-image")) {
            popup(menu);
        }
        steps.add(() -> screen[0].window().showEngines());
        steps.add(() -> {});
        popup("engines-checkpoint");
        for (int menu = 0; menu < 5; menu++) {
            int shown = menu;
            steps.add(() -> ((MenuBar) lookup("#menu-bar")).getMenus().get(shown).show());
            steps.add(() -> shootAndHide("22-menu-" + shown));
        }
    }

    private void questions() {
        steps.add(() -> questionTwin().confirm("Remove tiny-int4?",
                "Its folder goes to the trash of the workspace. Edit > Undo brings it back.", "Remove", "Keep",
                scene -> camera.accept(scene, "22-question")));
        steps.add(() -> {});
        steps.add(() -> questionTwin().beside(scene -> camera.accept(scene, "22-beside")));
        steps.add(() -> {});
        steps.add(() -> questionTwin().failed(new IllegalStateException("The device is gone."),
                scene -> camera.accept(scene, "22-failure")));
        steps.add(() -> {});
    }

    private QuestionTwin questionTwin() {
        return new QuestionTwin(screen[0].scene().getWindow(), screen[0].appearance());
    }

    /// Opens a menu or a chooser and takes its picture.
    private void popup(String id) {
        steps.add(() -> {
            switch (lookup("#" + id)) {
                case MenuButton menu -> menu.show();
                case ComboBoxBase<?> chooser -> chooser.show();
                case null, default -> throw new IllegalStateException("No menu is " + id + ".");
            }
        });
        steps.add(() -> shootAndHide("22-" + id));
    }

    private void shootAndHide(String name) {
        Window top = Window.getWindows().getLast();
        camera.accept(top.getScene(), name);
        if (top != screen[0].scene().getWindow()) {
            top.hide();
        }
    }

    private Node lookup(String id) {
        screen[0].scene().getRoot().applyCss();
        screen[0].scene().getRoot().layout();
        return screen[0].scene().lookup(id);
    }
}
