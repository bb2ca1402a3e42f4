package org.inferometer.ui.fx;

import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// Runs work off the UI thread: files, estimates, images. Results come back on the UI thread.
public final class BackgroundWork {
    private static final int THREADS = 2;
    private final Executor executor;
    private final UiThread ui;

    /// @param executor runs the work; inline in tests
    public BackgroundWork(Executor executor, UiThread ui) {
        this.executor = executor;
        this.ui = ui;
    }

    /// An executor of two daemon threads. The caller shuts it down.
    public static ExecutorService daemonThreads() {
        AtomicInteger count = new AtomicInteger();
        return Executors.newFixedThreadPool(THREADS, work -> {
            Thread thread = new Thread(work, "ui-background-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    /// Runs the work in the background, then exactly one of the callbacks on the UI thread; none after the executor was
    /// shut down.
    ///
    /// @param failed receives every exception of the work
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
