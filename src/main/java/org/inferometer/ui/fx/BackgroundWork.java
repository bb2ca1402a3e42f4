package org.inferometer.ui.fx;

import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// Work that must not hold the window up: files, estimates, images. Results come back on the UI thread.
public final class BackgroundWork {
    private static final int THREADS = 2;
    private final Executor executor;
    private final UiThread ui;

    /// @param executor runs the work; inline in tests
    public BackgroundWork(Executor executor, UiThread ui) {
        this.executor = executor;
        this.ui = ui;
    }

    /// An executor of two daemon threads for the desktop; whoever made it shuts it down.
    public static ExecutorService daemonThreads() {
        AtomicInteger count = new AtomicInteger();
        return Executors.newFixedThreadPool(THREADS, work -> {
            Thread thread = new Thread(work, "ui-background-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    /// Runs the work off the UI thread, then exactly one of the two on it; neither where the executor has been shut down, since then the window
    /// that asked is gone.
    ///
    /// @param failed hears every exception of the work; errors go to the thread's uncaught handler as well
    public <T> void run(Callable<T> work, Consumer<? super T> done, Consumer<? super Throwable> failed) {
        try {
            executor.execute(() -> answer(work, done, failed));
        } catch (RejectedExecutionException e) {
            if (!(executor instanceof ExecutorService service) || !service.isShutdown()) {
                throw e;
            }
        }
    }

    private <T> void answer(Callable<T> work, Consumer<? super T> done, Consumer<? super Throwable> failed) {
        T result;
        try {
            result = work.call();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            ui.run(() -> failed.accept(e));
            return;
        } catch (Exception | LinkageError | OutOfMemoryError | StackOverflowError e) {
            ui.run(() -> failed.accept(e));
            return;
        }
        ui.run(() -> done.accept(result));
    }

    /// The thread on which results come back.
    public UiThread ui() {
        return ui;
    }
}
