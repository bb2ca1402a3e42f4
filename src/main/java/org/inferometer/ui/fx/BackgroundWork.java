package org.inferometer.ui.fx;

import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// Runs work off the UI thread: files, estimates, images. Results come back on the UI thread. [WhileMeasuring] decides what
/// begins beside a running experiment.
public final class BackgroundWork {
    private static final int THREADS = 2;
    private final Executor executor;
    private final UiThread ui;
    private final WhileMeasuring measuring;
    private final AtomicInteger unfinished = new AtomicInteger();

    /// Heavy work waits for the end of an experiment.
    public BackgroundWork(Executor executor, UiThread ui) {
        this(executor, ui, new WhileMeasuring(work -> WhileMeasuring.Answer.AFTERWARDS));
    }

    /// @param executor runs the work; inline in tests
    public BackgroundWork(Executor executor, UiThread ui, WhileMeasuring measuring) {
        this.executor = executor;
        this.ui = ui;
        this.measuring = measuring;
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
    /// shut down, or if the user declined heavy work beside an experiment.
    ///
    /// @param failed receives every exception of the work
    public <T> void run(WindowWork kind, Callable<T> work, Consumer<? super T> done,
            Consumer<? super Throwable> failed) {
        run(kind, work, done, failed, () -> {});
    }

    /// As the other; heavy work is started on the UI thread.
    ///
    /// @param notNow called if the work waits for the end of an experiment, or was declined
    public <T> void run(WindowWork kind, Callable<T> work, Consumer<? super T> done, Consumer<? super Throwable> failed,
            Runnable notNow) {
        measuring.admit(kind, () -> execute(kind, work, done, failed), notNow);
    }

    private <T> void execute(WindowWork kind, Callable<T> work, Consumer<? super T> done,
            Consumer<? super Throwable> failed) {
        Callable<T> noted = () -> {
            Runnable ended = measuring.begun(kind);
            try {
                return work.call();
            } finally {
                ended.run();
            }
        };
        unfinished.incrementAndGet();
        try {
            executor.execute(() -> answer(noted, done, failed));
        } catch (RejectedExecutionException e) {
            unfinished.decrementAndGet();
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
            answer(() -> failed.accept(e));
            return;
        } catch (Exception | LinkageError | OutOfMemoryError | StackOverflowError e) {
            answer(() -> failed.accept(e));
            return;
        }
        answer(() -> done.accept(result));
    }

    private void answer(Runnable callback) {
        ui.run(() -> {
            try {
                callback.run();
            } finally {
                unfinished.decrementAndGet();
            }
        });
    }

    /// Whether no work is queued, runs or waits for its callback.
    public boolean isIdle() {
        return unfinished.get() == 0;
    }

    /// The rule for work beside an experiment.
    public WhileMeasuring measuring() {
        return measuring;
    }

    /// The thread on which results come back.
    public UiThread ui() {
        return ui;
    }
}
