package org.inferometer.telemetry;

import java.io.IOException;
import java.lang.management.ManagementFactory;

/// Memory and CPU time of this process. Used by one thread at a time; the caller closes it.
public interface HostProcess extends AutoCloseable {
    /// Physical memory the process holds now: heap, native memory and the resident part of mapped files.
    ///
    /// @throws java.io.UncheckedIOException if the system does not answer
    long residentBytes();

    /// The part of it that the Java runtime holds: touched heap, code and classes.
    long runtimeBytes();

    /// CPU time of all threads so far, user and system.
    long cpuNanos();

    @Override
    void close();

    /// Files of /proc kept open on Linux, OSHI elsewhere.
    static HostProcess open() {
        if (System.getProperty("os.name", "").startsWith("Linux")) {
            try {
                return new LinuxProcess();
            } catch (IOException | IllegalStateException unreadable) {
                return new PortableProcess();
            }
        }
        return new PortableProcess();
    }

    /// CPU time reported by the Java runtime; its resolution is the system's tick, often 10 ms.
    static long coarseCpuNanos() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? Math.max(0, system.getProcessCpuTime()) : 0;
    }
}
