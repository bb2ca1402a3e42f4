package org.inferometer.ui.twin;

import java.util.Deque;
import java.util.function.BiConsumer;
import javafx.event.Event;
import javafx.scene.Scene;
import javafx.scene.control.Button;
import javafx.scene.control.ComboBox;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.TabPane;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;

/// Steps of [DesktopScreenshots] through results: overview, charts, a sweep, runs, a comparison, an import.
///
/// @param camera takes a scene and its name without size and theme
record ResultScreenshots(DesktopScreen[] screen, Deque<Runnable> steps, BiConsumer<Scene, String> camera) {
    void all() {
        results();
        comparison();
        imported();
    }

    private void results() {
        steps.add(() -> screen[0].window().showResults());
        steps.add(() -> shoot("5-results"));
        steps.add(
                () -> screen[0].window().openResult(screen[0].library().folder().resolve("2026-11-20_091500_engines")));
        steps.add(() -> shoot("6-detail"));
        steps.add(() -> ((TabPane) screen[0].scene().lookup("#detail-tabs")).getSelectionModel().select(1));
        steps.add(() -> {});
        steps.add(() -> shoot("7-detail-charts"));
        steps.add(() -> press("#detail-plane-chart", KeyCode.RIGHT, false));
        steps.add(() -> press("#detail-plane-chart", KeyCode.RIGHT, false));
        steps.add(() -> shoot("7-detail-crosshair"));
        steps.add(() -> screen[0].window().openResult(screen[0].library().folder().resolve("sweep")));
        steps.add(() -> {});
        steps.add(() -> shoot("6-detail-sweep"));
        steps.add(() -> screen[0].window().openResult(screen[0].library().folder().resolve("b")));
        steps.add(() -> shoot("6-detail-stopped"));
        steps.add(() -> ((TabPane) screen[0].scene().lookup("#detail-tabs")).getSelectionModel().select(2));
        steps.add(() -> shoot("8-detail-runs"));
    }

    /// A result that another tool measured.
    private void imported() {
        steps.add(() -> screen[0].window().open(screen[0].foreignFile()));
        steps.add(() -> {});
        steps.add(() -> shoot("9-import"));
    }

    /// Two cells of one result, then all of them against the first.
    private void comparison() {
        steps.add(() -> screen[0].window().openResult(screen[0].library().folder().resolve("paired")));
        steps.add(() -> {});
        steps.add(() -> ((Button) screen[0].scene().lookup("#detail-compare")).fire());
        steps.add(() -> {});
        steps.add(() -> {
            ComboBox<?> base = (ComboBox<?>) screen[0].scene().lookup("#comparison-base");
            ComboBox<?> candidate = (ComboBox<?>) screen[0].scene().lookup("#comparison-candidate");
            base.getSelectionModel().select(candidate.getSelectionModel().getSelectedIndex());
        });
        steps.add(() -> {});
        steps.add(
                () -> ((ComboBox<?>) screen[0].scene().lookup("#comparison-base-part")).getSelectionModel().select(1));
        steps.add(() -> {});
        steps.add(() -> shoot("8-compare"));
        steps.add(() -> ((ScrollPane) screen[0].scene().lookup("#comparison-scroll")).setVvalue(0.5));
        steps.add(() -> shoot("8-compare-below"));
        steps.add(() -> ((Button) screen[0].scene().lookup("#comparison-close")).fire());
    }

    private void press(String id, KeyCode key, boolean control) {
        Event.fireEvent(screen[0].scene().lookup(id),
                new KeyEvent(KeyEvent.KEY_PRESSED, "", "", key, false, control, false, false));
    }

    private void shoot(String name) {
        camera.accept(screen[0].scene(), name);
    }
}
