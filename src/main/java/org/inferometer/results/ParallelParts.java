package org.inferometer.results;

import java.util.concurrent.atomic.AtomicLong;

/// Shared state of file parts that are read in parallel: the total of rows, and whether to continue.
///
/// At the first fault, or above the limit of rows, all parts stop and the file is read as one. Thread-safe.
final class ParallelParts {
    /// Rows of a part between two updates of the total: rare, to avoid contention.
    static final int STRIDE = 1024;

    private final long maxRows;
    private final AtomicLong rows = new AtomicLong();
    private volatile boolean stopped;

    /// @param maxRows of all parts; each part may exceed it by [#STRIDE]
    ParallelParts(long maxRows) {
        this.maxRows = maxRows;
    }

    /// Whether a part should continue.
    ///
    /// @param ofPart rows of the part so far; call after each
    boolean goOn(long ofPart) {
        if (ofPart % STRIDE == 0 && rows.addAndGet(STRIDE) > maxRows) {
            stopped = true;
        }
        return !stopped;
    }

    /// Stops all parts.
    void stop() {
        stopped = true;
    }

    boolean stopped() {
        return stopped;
    }
}
