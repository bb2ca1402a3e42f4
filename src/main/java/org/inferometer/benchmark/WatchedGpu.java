package org.inferometer.benchmark;

import org.inferometer.telemetry.GpuAccess;
import org.inferometer.telemetry.GpuException;
import org.inferometer.telemetry.GpuMonitor;
import org.inferometer.telemetry.HostProcess;
import org.inferometer.telemetry.TelemetrySource;
import org.jspecify.annotations.Nullable;

/// The GPU whose readings stand in a record: the one that computes or, beside a run on the CPU, the first of the machine.
final class WatchedGpu implements AutoCloseable {
    private final ComputingDevice device;
    private final @Nullable GpuMonitor monitor;

    private WatchedGpu(ComputingDevice device, @Nullable GpuMonitor monitor) {
        this.device = device;
        this.monitor = monitor;
    }

    /// Opens it; the caller closes it.
    static WatchedGpu of(ComputingDevice device, GpuAccess access) {
        try {
            String uuid = device.gpuUuid().orElse("");
            return new WatchedGpu(device, uuid.isEmpty() ? access.open(0) : access.open(uuid));
        } catch (GpuException absent) {
            // No driver or no such GPU: the record has no GPU readings then, rather than those of another card.
            return new WatchedGpu(device, null);
        }
    }

    TelemetrySource source(HostProcess process) {
        if (device.gpuUuid().isPresent()) {
            return monitor == null ? TelemetrySource.ofUnreadGpu(process, device.books()) : TelemetrySource.ofGpu(process, device.books(), monitor);
        }
        return monitor == null ? TelemetrySource.ofHost(process, device.books()) : TelemetrySource.ofHostWatching(process, device.books(), monitor);
    }

    @Override
    public void close() {
        if (monitor != null) {
            monitor.close();
        }
    }
}
