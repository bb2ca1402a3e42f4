package org.inferometer.quantising;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Work on rows that do not depend on each other, on several threads. Closing ends them.
final class Rows implements AutoCloseable {
    private static final int CHUNKS_PER_THREAD = 4;

    private final int threads;
    private final ExecutorService pool;

    Rows(int threads) {
        this.threads = threads;
        this.pool = Executors.newFixedThreadPool(threads,
                Thread.ofPlatform().name("engine-calibration-", 0).daemon().factory());
    }

    /// Work on the rows from the first to before the last.
    @FunctionalInterface
    interface Chunk {
        void run(int first, int end);
    }

    /// Runs the work for all rows and waits.
    ///
    /// @throws IllegalArgumentException of the work, as it is
    void run(int rows, Chunk work) throws InterruptedException {
        int chunk = Math.max(2, (Math.ceilDiv(rows, threads * CHUNKS_PER_THREAD) + 1) & ~1);
        List<Future<?>> running = new ArrayList<>();
        for (int start = 0; start < rows; start += chunk) {
            int first = start;
            int end = Math.min(rows, start + chunk);
            running.add(pool.submit(() -> work.run(first, end)));
        }
        for (Future<?> each : running) {
            try {
                each.get();
            } catch (ExecutionException failed) {
                if (failed.getCause() instanceof IllegalArgumentException wrong) {
                    throw wrong;
                }
                throw new IllegalStateException(failed.getCause());
            }
        }
    }

    @Override
    public void close() {
        pool.shutdownNow();
        boolean interrupted = Thread.interrupted();
        pool.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
