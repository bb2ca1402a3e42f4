package org.inferometer.run.worker;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Waits until the JIT compiler is idle, so that its threads do not take cores from the first measured requests.
final class JitPause {
    private static final int LOOK_MILLIS = 25;
    private static final int MOST_LOOKS = 12;

    private JitPause() {}

    /// Returns once the compiler did nothing for 25 ms, or after 300 ms. At once if the JVM does not report its compiler.
    static void await() {
        @Nullable CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
        if (compiler == null || !compiler.isCompilationTimeMonitoringSupported()) {
            return;
        }
        long before = -1;
        for (int look = 0; look < MOST_LOOKS && before != compiler.getTotalCompilationTime(); look++) {
            before = compiler.getTotalCompilationTime();
            LockSupport.parkNanos(LOOK_MILLIS * 1_000_000L);
        }
    }
}
