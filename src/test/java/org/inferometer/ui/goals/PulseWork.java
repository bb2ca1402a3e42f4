package org.inferometer.ui.goals;

import java.util.ArrayList;
import java.util.List;
import javafx.animation.AnimationTimer;
import javafx.application.Platform;
import org.inferometer.units.Clock;

/// Acts at the start of each pulse and measures how long the JavaFX thread works until the pulse has ended: events, layout, painting on
/// canvases, and handing the scene to the renderer. Belongs to the JavaFX thread.
final class PulseWork extends AnimationTimer {
    private final Clock clock;
    private final Runnable action;
    private final Runnable after;
    private final List<Double> millis = new ArrayList<>();

    /// @param action at the start of a pulse
    /// @param after when it has ended
    PulseWork(Clock clock, Runnable action, Runnable after) {
        this.clock = clock;
        this.action = action;
        this.after = after;
    }

    @Override
    public void handle(long now) {
        long began = clock.nanos();
        action.run();
        // Queued events run after the pulse.
        Platform.runLater(() -> {
            millis.add((clock.nanos() - began) / 1e6);
            after.run();
        });
    }

    /// Milliseconds of each pulse.
    double[] millis() {
        return millis.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
