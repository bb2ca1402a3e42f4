package org.inferometer.ui.twin;

import java.util.Deque;
import java.util.function.BiConsumer;
import javafx.event.Event;
import javafx.scene.Node;
import javafx.scene.Scene;
import javafx.scene.control.Button;
import javafx.scene.control.CheckMenuItem;
import javafx.scene.control.ComboBox;
import javafx.scene.control.MenuBar;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.TabPane;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.stage.Stage;
import javafx.stage.Window;
import org.inferometer.ui.bench.LiveMode;

/// Steps of [DesktopScreenshots] through the tabs of a result, a comparison of several, the report, live modes, and dialogs.
///
/// @param camera takes a scene and its name without size and theme
record DialogScreenshots(DesktopScreen[] screen, Deque<Runnable> steps, BiConsumer<Scene, String> camera) {
    private static final int[] TABS = {0, 1, 2, 4};

    void all() {
        tabs();
        several();
        reportAndDevices();
        liveModes();
    }

    /// The tabs of a result without its requests, at top and end.
    private void tabs() {
        steps.add(() -> screen[0].window().results().filter().clear());
        steps.add(
                () -> screen[0].window().openResult(screen[0].library().folder().resolve("2026-11-20_091500_engines")));
        for (int shown : TABS) {
            steps.add(() -> ((TabPane) lookup("#detail-tabs")).getSelectionModel().select(shown));
            steps.add(() -> {});
            steps.add(() -> shoot("16-tab-" + shown));
            steps.add(() -> scroll("#detail-tabs", 0.5));
            steps.add(() -> shoot("16-tab-" + shown + "-middle"));
            steps.add(() -> scroll("#detail-tabs", 1));
            steps.add(() -> shoot("16-tab-" + shown + "-end"));
        }
    }

    /// Three results side by side.
    private void several() {
        steps.add(() -> screen[0].window().openResult(screen[0].library().folder().resolve("paired")));
        steps.add(() -> {});
        steps.add(() -> ((Button) lookup("#detail-compare")).fire());
        steps.add(() -> ((ComboBox<?>) lookup("#comparison-base")).getSelectionModel().select(1));
        steps.add(() -> {});
        steps.add(() -> {
            MenuButton more = (MenuButton) lookup("#comparison-more");
            more.getItems().stream().map(CheckMenuItem.class::cast).limit(3).forEach(item -> {
                item.setSelected(true);
                item.fire();
            });
        });
        for (int wait = 0; wait < 3; wait++) {
            steps.add(() -> {});
        }
        for (double at : new double[]{0, 0.25, 0.5, 0.75, 1}) {
            steps.add(() -> ((ScrollPane) lookup("#comparison-scroll")).setVvalue(at));
            steps.add(() -> shoot("17-several-" + Math.round(at * 100)));
        }
        steps.add(() -> ((Button) lookup("#comparison-close")).fire());
    }

    /// The report of a result, and the machine's cards below.
    private void reportAndDevices() {
        steps.add(
                () -> screen[0].window().openResult(screen[0].library().folder().resolve("2026-11-20_091500_engines")));
        steps.add(() -> screen[0].window().showReport());
        for (int wait = 0; wait < 6; wait++) {
            steps.add(() -> {});
        }
        steps.add(() -> shoot("18-report"));
        steps.add(() -> ((ScrollPane) lookup("#report-side")).setVvalue(1));
        steps.add(() -> ((ScrollPane) lookup("#report-preview")).setVvalue(0.4));
        steps.add(() -> shoot("18-report-below"));
        steps.add(() -> screen[0].window().showDevices());
        steps.add(() -> scroll("#devices", 1));
        steps.add(() -> shoot("18-devices-end"));
    }

    /// Palette, preferences, keys, export of a chart. With large texts they leave the headless screen, which ends the walk.
    void dialogs() {
        steps.add(
                () -> screen[0].window().openResult(screen[0].library().folder().resolve("2026-11-20_091500_engines")));
        steps.add(() -> screen[0].window().openPalette());
        steps.add(() -> shoot("19-palette"));
        steps.add(() -> Event.fireEvent(lookup("#palette-text"),
                new KeyEvent(KeyEvent.KEY_PRESSED, "", "", KeyCode.ESCAPE, false, false, false, false)));
        dialog("menu-preferences", "19-preferences");
        dialog("menu-shortcuts", "19-keys");
        dialog("menu-about", "19-about");
        dialog("menu-method", "19-method");
        steps.add(() -> screen[0].window().showResults());
        steps.add(() -> ((TabPane) lookup("#detail-tabs")).getSelectionModel().select(1));
        steps.add(() -> {});
        steps.add(() -> ((Button) lookup("#detail-plane-export")).fire());
        steps.add(() -> {});
        steps.add(() -> shootAndClose("19-export"));
    }

    /// The modes of a running experiment without charts, and the question before heavy work.
    private void liveModes() {
        steps.add(() -> {
            screen[0].window().bench().live().choose(LiveMode.LOW_IMPACT);
            screen[0].window().bench().runQuick();
            screen[0].window().showBench();
        });
        steps.add(() -> {});
        steps.add(() -> screen[0].service().goOn());
        steps.add(() -> {});
        steps.add(() -> shoot("20-live-low"));
        steps.add(() -> screen[0].window().bench().live().choose(LiveMode.BLACKOUT));
        steps.add(() -> {});
        steps.add(() -> shoot("20-live-blackout"));
        steps.add(() -> screen[0].service().goOn());
        steps.add(() -> {});
        steps.add(() -> shoot("20-live-ended"));
        steps.add(() -> scroll("#bench", 1));
        steps.add(() -> shoot("20-live-ended-end"));
    }

    /// The menu of the bell. It needs a window, whose size is not that of the pictures: so it comes last. With large texts it is higher
    /// than the headless screen, which ends the walk.
    void notices() {
        Stage stage = new Stage();
        steps.add(() -> {
            stage.setScene(screen[0].scene());
            stage.show();
        });
        steps.add(() -> ((MenuButton) lookup("#notice-bell")).show());
        steps.add(() -> camera.accept(top(), "21-notices"));
        steps.add(() -> {
            ((MenuButton) lookup("#notice-bell")).hide();
            stage.setScene(null);
            stage.hide();
        });
    }

    private void dialog(String item, String name) {
        steps.add(() -> menu(item).fire());
        steps.add(() -> {});
        steps.add(() -> shootAndClose(name));
    }

    private MenuItem menu(String id) {
        return ((MenuBar) lookup("#menu-bar")).getMenus().stream().flatMap(menu -> menu.getItems().stream())
                .filter(item -> id.equals(item.getId())).findFirst().orElseThrow();
    }

    private static Scene top() {
        return Window.getWindows().getLast().getScene();
    }

    private void shootAndClose(String name) {
        Scene scene = top();
        camera.accept(scene, name);
        scene.getWindow().hide();
    }

    private void shoot(String name) {
        camera.accept(screen[0].scene(), name);
    }

    /// In a window that is not shown, only a layout makes the nodes of skins.
    private Node lookup(String id) {
        screen[0].scene().getRoot().applyCss();
        screen[0].scene().getRoot().layout();
        return screen[0].scene().lookup(id);
    }

    /// Every visible area below a node that scrolls, whose parents do not scroll.
    private void scroll(String id, double to) {
        Node under = lookup(id);
        under.lookupAll(".scroll-pane").stream().filter(ScrollPane.class::isInstance).map(ScrollPane.class::cast)
                .forEach(pane -> pane.setVvalue(to));
    }
}
