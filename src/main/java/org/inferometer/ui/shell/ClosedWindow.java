package org.inferometer.ui.shell;

import java.time.Duration;
import javafx.beans.value.ObservableValue;
import javafx.util.Subscription;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.Ticks;
import org.jspecify.annotations.Nullable;

/// The program while its window is closed and an experiment goes on. When the experiment and the work that waited for it are done, the
/// program ends. Belongs to the JavaFX thread.
final class ClosedWindow {
    private static final Duration LOOK = Duration.ofMillis(500);
    private final ObservableValue<Boolean> measuring;
    private final BackgroundWork work;
    private final Ticks ticks;
    private final Runnable end;
    private Subscription watching = Subscription.EMPTY;
    private Ticks.@Nullable Beat looking;
    private boolean closed;

    /// @param measuring whether an experiment or a suite goes on; no timer runs meanwhile
    /// @param end ends the program
    ClosedWindow(ObservableValue<Boolean> measuring, BackgroundWork work, Ticks ticks, Runnable end) {
        this.measuring = measuring;
        this.work = work;
        this.ticks = ticks;
        this.end = end;
    }

    /// The window was closed.
    void begin() {
        closed = true;
        watching = measuring.subscribe(this::watch);
    }

    /// The window is shown again.
    void end() {
        closed = false;
        watching.unsubscribe();
        rest();
    }

    boolean isClosed() {
        return closed;
    }

    private void watch(boolean measures) {
        rest();
        if (!measures) {
            looking = ticks.every(LOOK, this::look);
        }
    }

    private void look() {
        if (work.isIdle()) {
            end();
            end.run();
        }
    }

    private void rest() {
        if (looking != null) {
            looking.stop();
            looking = null;
        }
    }
}
