package org.inferometer.ui.engines;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Building, verifying or judging an engine, in the background. Cancelled by an interrupt of its thread.
final class EngineTask {
    private final String engine;
    private final Kind kind;
    private final AtomicBoolean cancelled = new AtomicBoolean();
    private @Nullable Thread thread; // under this object's monitor

    enum Kind {
        BUILD, VERIFY, JUDGE
    }

    EngineTask(String engine, Kind kind) {
        this.engine = engine;
        this.kind = kind;
    }

    String engine() {
        return engine;
    }

    Kind kind() {
        return kind;
    }

    boolean isCancelled() {
        return cancelled.get();
    }

    /// Called by the thread that begins.
    synchronized void begin() {
        thread = Thread.currentThread();
        if (cancelled.get()) {
            thread.interrupt();
        }
    }

    /// Called by the thread that ends; clears its interrupt.
    synchronized void end() {
        thread = null;
        Thread.interrupted();
    }

    synchronized void cancel() {
        cancelled.set(true);
        if (thread != null) {
            thread.interrupt();
        }
    }
}
