package org.inferometer.ui.chart;

import java.util.ArrayList;
import java.util.List;
import javafx.application.Platform;

/// Lets one chart of a window a pulse draw for the first time, so that a page of charts does not stop the window. Belongs to the JavaFX
/// thread.
public final class DrawTurns {
    private final List<Runnable> waiting = new ArrayList<>();
    private boolean taken;

    /// Takes the turn of this pulse.
    ///
    /// @param again asks again in the next pulse; called if the turn is taken
    /// @return whether the caller draws now
    boolean take(Runnable again) {
        if (taken) {
            waiting.add(again);
            return false;
        }
        taken = true;
        // Queued events run after the pulse.
        Platform.runLater(this::next);
        return true;
    }

    private void next() {
        taken = false;
        List<Runnable> all = List.copyOf(waiting);
        waiting.clear();
        all.forEach(Runnable::run);
    }
}
