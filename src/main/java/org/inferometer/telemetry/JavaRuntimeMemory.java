package org.inferometer.telemetry;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;

/// Physical memory that the JVM's own pools hold, estimated from its management beans.
///
/// Pages of the heap stay resident once they were touched, so a heap pool counts its largest use so far, at most what is committed now.
/// Code and classes count what they use. Stacks, the compiler's and the collector's own memory are not in it.
final class JavaRuntimeMemory {
    private final MemoryPoolMXBean[] pools = ManagementFactory.getMemoryPoolMXBeans().toArray(MemoryPoolMXBean[]::new);

    /// Bytes now.
    long bytes() {
        long sum = 0;
        for (MemoryPoolMXBean pool : pools) {
            MemoryUsage now = pool.getUsage();
            MemoryUsage peak = pool.getPeakUsage();
            if (now != null && peak != null) {
                sum += pool.getType() == MemoryType.HEAP ? resident(now, peak) : now.getUsed();
            }
        }
        return sum;
    }

    /// The touched part of a heap pool.
    static long resident(MemoryUsage now, MemoryUsage peak) {
        return Math.min(now.getCommitted(), peak.getUsed());
    }
}
