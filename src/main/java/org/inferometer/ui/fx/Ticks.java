package org.inferometer.ui.fx;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// Starts timers whose actions run on the UI thread.
public interface Ticks {
    /// Runs an action periodically until stopped. Skips a period while the previous action is waiting to run.
    Beat every(Duration period, Runnable action);

    /// A running timer.
    interface Beat {
        /// The action does not run after this returns on the UI thread.
        void stop();
    }

    /// Timers on one daemon thread. A running JavaFX animation would pulse 60 times per second.
    public static final class TickThread implements Ticks, AutoCloseable {
        private final ScheduledExecutorService executor;
        private final UiThread ui;

        /// @param ui runs the timer actions
        public TickThread(UiThread ui) {
            this.ui = ui;
            ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(1, work -> {
                Thread thread = new Thread(work, "ui-pump");
                thread.setDaemon(true);
                return thread;
            });
            pool.setRemoveOnCancelPolicy(true);
            this.executor = pool;
        }

        @Override
        public Beat every(Duration period, Runnable action) {
            AtomicBoolean pending = new AtomicBoolean();
            AtomicBoolean stopped = new AtomicBoolean();
            Runnable onUi = () -> {
                pending.set(false);
                if (!stopped.get()) {
                    action.run();
                }
            };
            ScheduledFuture<?> future = executor.scheduleAtFixedRate(() -> {
                if (pending.compareAndSet(false, true)) {
                    ui.later(onUi);
                }
            }, period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
            return () -> {
                stopped.set(true);
                future.cancel(false);
            };
        }

        @Override
        public void close() {
            executor.shutdownNow();
        }
    }
}
