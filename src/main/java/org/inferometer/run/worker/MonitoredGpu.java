package org.inferometer.run.worker;

import java.util.List;
import java.util.Optional;
import org.inferometer.telemetry.GpuAccess;
import org.inferometer.telemetry.GpuException;
import org.inferometer.telemetry.GpuMonitor;
import org.inferometer.telemetry.GpuMonitor.GpuProcess;
import org.inferometer.telemetry.HostProcess;
import org.inferometer.telemetry.TelemetrySource;
import org.jspecify.annotations.Nullable;

/// The GPU whose readings are recorded: the computing one, or the first GPU for a run on the CPU.
public final class MonitoredGpu implements AutoCloseable {
    private final ComputingDevice device;
    private final @Nullable GpuMonitor monitor;

    private MonitoredGpu(ComputingDevice device, @Nullable GpuMonitor monitor) {
        this.device = device;
        this.monitor = monitor;
    }

    /// Opens it; the caller closes it.
    public static MonitoredGpu of(ComputingDevice device, GpuAccess access) {
        try {
            String uuid = device.gpuUuid().orElse("");
            return new MonitoredGpu(device, uuid.isEmpty() ? access.open(0) : access.open(uuid));
        } catch (GpuException absent) {
            // Without driver or this GPU, the record has no GPU readings; those of another card would be wrong.
            return new MonitoredGpu(device, null);
        }
    }

    public TelemetrySource source(HostProcess process) {
        if (device.gpuUuid().isPresent()) {
            return monitor == null ? TelemetrySource.ofUnreadGpu(process, device.books())
                    : TelemetrySource.ofGpu(process, device.books(), monitor);
        }
        return monitor == null ? TelemetrySource.ofHost(process, device.books())
                : TelemetrySource.ofHostWatching(process, device.books(), monitor);
    }

    /// Whether another process computes on this run's GPU; empty if unknown.
    Optional<Boolean> sharedWithOthers() {
        return monitor == null || device.gpuUuid().isEmpty() ? Optional.empty()
                : monitor.processes().flatMap(processes -> others(processes, ProcessHandle.current().pid()));
    }

    /// @param own pid of this process; missing from the list in a container, which has other pids than the host
    static Optional<Boolean> others(List<GpuProcess> processes, long own) {
        if (processes.stream().anyMatch(process -> process.pid() == own)) {
            return Optional.of(processes.size() > 1);
        }
        // One unknown pid may be this process under its host pid; of two, at least one is another process.
        return processes.size() > 1 ? Optional.of(true) : Optional.empty();
    }

    /// True if either is true; false if both are false; else empty.
    static Optional<Boolean> either(Optional<Boolean> before, Optional<Boolean> after) {
        if (before.orElse(false) || after.orElse(false)) {
            return Optional.of(true);
        }
        return before.isPresent() && after.isPresent() ? Optional.of(false) : Optional.empty();
    }

    @Override
    public void close() {
        if (monitor != null) {
            monitor.close();
        }
    }
}
