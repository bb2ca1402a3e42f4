package org.inferometer.execution.host.machine;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.inferometer.units.ThreadEnd;
import org.jspecify.annotations.Nullable;

/// A lane's fixed group of threads, the lane's own among them, for the parallel sections of a step.
///
/// Each thread has its share of adjacent items, so that it reads memory in sequence, and then takes what others have not
/// begun: a thread that wakes late delays no other. Threads spin briefly between sections, then park. No locks, no
/// allocation.
public final class WorkerGroup implements AutoCloseable {
    /// Independent items of work. Implementations are reused: the lane's thread sets their fields before a run.
    @FunctionalInterface
    public interface Section {
        /// @param worker index of the thread in its group, for scratch memory
        void run(int worker, int item);
    }

    private static final int SPINS = 4_000;

    /// Numbers between two threads' counters: no two share a cache line.
    private static final int APART = 32;

    private final Worker[] workers;
    /// Items of each thread's share that nobody has claimed; below zero after late claims.
    private final AtomicIntegerArray unclaimed;
    private final AtomicInteger done = new AtomicInteger();
    private volatile boolean closed;
    private volatile @Nullable Throwable failure;
    private @Nullable Section section;
    private int items;

    /// Starts `threads − 1` daemon threads named after the lane; the calling lane's thread is the first worker.
    public WorkerGroup(String laneName, int threads) {
        workers = new Worker[threads - 1];
        unclaimed = new AtomicIntegerArray((threads + 1) * APART);
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new Worker(laneName + "-worker-" + (i + 1), i + 1);
        }
        try {
            for (Worker worker : workers) {
                worker.thread.start();
            }
        } catch (OutOfMemoryError e) {
            close();
            throw e;
        }
    }

    public int threads() {
        return workers.length + 1;
    }

    /// Runs all items and returns when they are done; called by the lane's thread only.
    ///
    /// @throws InternalError if a mapped file could not be read
    /// @throws IllegalStateException if an item failed otherwise
    public void run(Section work, int count) {
        if (workers.length == 0 || count == 1) {
            for (int item = 0; item < count; item++) {
                work.run(0, item);
            }
            return;
        }
        section = work;
        items = count;
        done.set(0);
        for (int owner = 0; owner < threads(); owner++) {
            unclaimed.set((owner + 1) * APART, end(owner) - end(owner - 1));
        }
        for (Worker worker : workers) {
            worker.wake();
        }
        claimAll(0);
        for (int spins = 0; done.get() < count; spins++) {
            if (spins < SPINS) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
        Throwable thrown = failure;
        if (thrown != null) {
            failure = null;
            if (thrown instanceof InternalError unreadable) {
                throw unreadable;
            }
            throw new IllegalStateException("A worker of the host backend failed", thrown);
        }
    }

    /// First item behind a thread's share.
    private int end(int owner) {
        return (int) ((owner + 1L) * items / threads());
    }

    private void claimAll(int worker) {
        int claimed = 0;
        try {
            for (int i = 0; i < threads(); i++) {
                int owner = (worker + i) % threads();
                for (int left = claim(owner); left > 0; left = claim(owner)) {
                    // The section cannot change until this item is counted as done.
                    claimed++;
                    runItem(worker, end(owner) - left);
                }
            }
        } finally {
            if (claimed > 0) {
                done.getAndAdd(claimed);
            }
        }
    }

    /// Items of a share that were unclaimed, the one that is claimed included; none below one.
    private int claim(int owner) {
        int at = (owner + 1) * APART;
        return unclaimed.get(at) <= 0 ? 0 : unclaimed.getAndDecrement(at);
    }

    private void runItem(int worker, int item) {
        Section work = section;
        try {
            if (work != null) {
                work.run(worker, item);
            }
        } catch (RuntimeException | Error e) {
            failure = e;
        }
    }

    private boolean anyUnclaimed() {
        for (int owner = 0; owner < threads(); owner++) {
            if (unclaimed.get((owner + 1) * APART) > 0) {
                return true;
            }
        }
        return false;
    }

    /// Ends the threads; no section may be running.
    @Override
    public void close() {
        closed = true;
        for (Worker worker : workers) {
            LockSupport.unpark(worker.thread);
        }
        for (Worker worker : workers) {
            ThreadEnd.await(worker.thread);
        }
    }

    private final class Worker {
        private final Thread thread;
        private volatile boolean parked;

        Worker(String name, int index) {
            thread = Thread.ofPlatform().daemon().name(name).unstarted(() -> loop(index));
        }

        private void wake() {
            if (parked) {
                LockSupport.unpark(thread);
            }
        }

        private void loop(int index) {
            int spins = 0;
            while (!closed) {
                if (anyUnclaimed()) {
                    try {
                        claimAll(index);
                    } catch (RuntimeException | Error e) {
                        // The JVM throws an unreadable mapping late: maybe after the item.
                        failure = e;
                    }
                    spins = 0;
                } else if (spins < SPINS) {
                    spins++;
                    Thread.onSpinWait();
                } else {
                    parked = true;
                    if (!anyUnclaimed() && !closed) {
                        LockSupport.park(WorkerGroup.this);
                    }
                    parked = false;
                    spins = 0;
                }
            }
        }
    }
}
