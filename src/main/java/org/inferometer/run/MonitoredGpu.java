package org.inferometer.run;

import java.util.List;
import java.util.Optional;
import org.inferometer.telemetry.GpuAccess;
import org.inferometer.telemetry.GpuException;
import org.inferometer.telemetry.GpuMonitor;
import org.inferometer.telemetry.GpuMonitor.GpuProcess;
import org.inferometer.telemetry.HostProcess;
import org.inferometer.telemetry.TelemetrySource;
import org.jspecify.annotations.Nullable;

/// The GPU whose readings stand in a record: the one that computes or, beside a run on the CPU, the first of the machine.
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
            // No driver or no such GPU: the record has no GPU readings then, rather than those of another card.
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

    /// @param own this process, which is missing from the list where pids are those of a host around a container
    static Optional<Boolean> others(List<GpuProcess> processes, long own) {
        if (processes.stream().anyMatch(process -> process.pid() == own)) {
            return Optional.of(processes.size() > 1);
        }
        // One that is not known may be this one under its other number; of two at least one is not.
        return processes.size() > 1 ? Optional.of(true) : Optional.empty();
    }

    /// Whether either answer is yes: one yes is enough, a no takes both.
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
