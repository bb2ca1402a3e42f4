package org.inferometer.results;

import java.util.concurrent.atomic.AtomicLong;

/// Shared state of file parts that are read in parallel: the total of rows, and whether to continue.
///
/// As soon as one part is at fault, or all hold more rows than a record may, every part ends, and the file is read as one. Any thread.
final class ParallelParts {
    /// Rows of a part between two looks at the sum: seldom enough that threads do not wait for each other.
    static final int STRIDE = 1024;

    private final long maxRows;
    private final AtomicLong rows = new AtomicLong();
    private volatile boolean stopped;

    /// @param maxRows of all parts; they end at most [#STRIDE] rows a part beyond it
    ParallelParts(long maxRows) {
        this.maxRows = maxRows;
    }

    /// Whether a part should read on.
    ///
    /// @param ofPart rows that the part has read, updated after each
    boolean goOn(long ofPart) {
        if (ofPart % STRIDE == 0 && rows.addAndGet(STRIDE) > maxRows) {
            stopped = true;
        }
        return !stopped;
    }

    /// Ends all parts.
    void stop() {
        stopped = true;
    }

    boolean stopped() {
        return stopped;
    }
}
