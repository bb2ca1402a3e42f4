package org.inferometer.benchmark;

import org.inferometer.telemetry.GpuException;
import org.inferometer.telemetry.GpuMonitor;
import org.inferometer.telemetry.HostProcess;
import org.inferometer.telemetry.MemoryBooks;
import org.inferometer.telemetry.TelemetrySource;
import org.jspecify.annotations.Nullable;

/// The first GPU of the machine, where there is one, so that its readings stand in every record made beside it.
final class WatchedGpu implements AutoCloseable {
    private final @Nullable GpuMonitor monitor;

    private WatchedGpu(@Nullable GpuMonitor monitor) {
        this.monitor = monitor;
    }

    static WatchedGpu first() {
        try {
            return new WatchedGpu(GpuMonitor.open(0));
        } catch (GpuException absent) {
            // No driver or no GPU: the record has no GPU readings then.
            return new WatchedGpu(null);
        }
    }

    TelemetrySource source(HostProcess process, MemoryBooks books) {
        return monitor == null ? TelemetrySource.ofHost(process, books) : TelemetrySource.ofHostWatching(process, books, monitor);
    }

    @Override
    public void close() {
        if (monitor != null) {
            monitor.close();
        }
    }
}
