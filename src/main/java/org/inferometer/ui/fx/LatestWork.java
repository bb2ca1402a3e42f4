package org.inferometer.ui.fx;

import java.util.concurrent.Callable;
import java.util.function.Consumer;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;

/// Background work of which only the latest start counts: results of earlier starts are dropped. Belongs to the UI thread.
public final class LatestWork {
    private final BackgroundWork work;
    private final ReadOnlyBooleanWrapper running = new ReadOnlyBooleanWrapper();
    private long latest;

    public LatestWork(BackgroundWork work) {
        this.work = work;
    }

    /// Runs the work, then one of the callbacks unless a later start or [#cancel] came before.
    public <T> void run(WindowWork kind, Callable<T> task, Consumer<? super T> done,
            Consumer<? super Throwable> failed) {
        long mine = ++latest;
        running.set(true);
        work.run(kind, task, result -> end(mine, () -> done.accept(result)),
                failure -> end(mine, () -> failed.accept(failure)), () -> end(mine, () -> {}));
    }

    private void end(long mine, Runnable callback) {
        if (mine == latest) {
            callback.run();
        }
        // The callback may have started more work.
        if (mine == latest) {
            running.set(false);
        }
    }

    /// Drops the result of the running work.
    public void cancel() {
        latest++;
        running.set(false);
    }

    /// Whether work is running.
    public ReadOnlyBooleanProperty running() {
        return running.getReadOnlyProperty();
    }
}
