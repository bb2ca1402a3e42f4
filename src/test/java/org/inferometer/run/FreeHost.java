package org.inferometer.run;

import java.io.Closeable;

/// A host that no other experiment reserves, with a heap of 1 GiB for each worker.
interface FreeHost extends RunHost {
    @Override
    default long workerHeapBytes() {
        return 1L << 30;
    }

    @Override
    default Closeable reserve() {
        return () -> {};
    }
}
