package org.inferometer.ui.twin;

import java.util.Deque;
import java.util.function.BiConsumer;
import javafx.event.Event;
import javafx.scene.Scene;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import org.inferometer.ui.bench.LiveMode;

/// Steps of [DesktopScreenshots] through a running experiment and its charts.
///
/// @param camera takes a scene and its name without size and theme
record LiveScreenshots(DesktopScreen[] screen, Deque<Runnable> steps, BiConsumer<Scene, String> camera) {
    /// A running experiment: loading, measuring, with a marker and the log.
    void all() {
        steps.add(() -> {
            // On few cores a run would show no charts.
            screen[0].window().bench().live().choose(LiveMode.LIVE);
            screen[0].window().bench().runQuick();
        });
        steps.add(() -> {});
        steps.add(() -> shoot("3-live-loading"));
        steps.add(() -> screen[0].service().goOn());
        steps.add(() -> {});
        steps.add(() -> shoot("3-live"));
        steps.add(() -> screen[0].window().bench().addMarker());
        steps.add(() -> screen[0].window().bench().log().open().set(true));
        steps.add(() -> {});
        steps.add(() -> shoot("3-live-marker-log"));
        steps.add(() -> screen[0].window().bench().log().open().set(false));
        charts();
        steps.add(() -> screen[0].service().goOn());
        steps.add(() -> {});
        steps.add(() -> shoot("4-result"));
    }

    /// Crosshair, zoom, one chart over the window, and its table.
    private void charts() {
        String chart = "#live-throughput-chart";
        steps.add(() -> press(chart, KeyCode.RIGHT, true));
        steps.add(() -> press(chart, KeyCode.RIGHT, true));
        steps.add(() -> shoot("3-live-crosshair"));
        steps.add(() -> press(chart, KeyCode.PLUS, false));
        steps.add(() -> press(chart, KeyCode.PLUS, false));
        steps.add(() -> shoot("3-live-zoomed"));
        steps.add(() -> press(chart, KeyCode.F, false));
        steps.add(() -> shoot("3-live-maximised"));
        steps.add(() -> press(chart, KeyCode.T, true));
        steps.add(() -> shoot("3-live-table"));
        steps.add(() -> press(chart, KeyCode.T, true));
        steps.add(() -> press(chart, KeyCode.ESCAPE, false));
        steps.add(() -> press(chart, KeyCode.ESCAPE, false));
        steps.add(() -> press(chart, KeyCode.END, false));
    }

    private void press(String id, KeyCode key, boolean control) {
        Event.fireEvent(screen[0].scene().lookup(id),
                new KeyEvent(KeyEvent.KEY_PRESSED, "", "", key, false, control, false, false));
    }

    private void shoot(String name) {
        camera.accept(screen[0].scene(), name);
    }
}
