package org.inferometer.run.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.inferometer.telemetry.GpuAccess;
import org.inferometer.telemetry.GpuException;
import org.inferometer.telemetry.GpuMonitor;
import org.inferometer.telemetry.GpuMonitor.GpuProcess;

/// GPU memory that the processes of a server hold, over all GPUs of the machine. Used by one thread; the caller closes it.
final class ServerGpuMemory implements AutoCloseable {
    private static final int MOST_GPUS = 64;

    private final List<GpuMonitor> gpus;

    private ServerGpuMemory(List<GpuMonitor> gpus) {
        this.gpus = gpus;
    }

    /// All GPUs that the driver lists; none without a driver.
    static ServerGpuMemory open(GpuAccess access) {
        List<GpuMonitor> gpus = new ArrayList<>();
        try {
            while (gpus.size() < MOST_GPUS) {
                gpus.add(access.open(gpus.size()));
            }
        } catch (GpuException e) {
            // There is no further one.
            return new ServerGpuMemory(gpus);
        }
        return new ServerGpuMemory(gpus);
    }

    /// Bytes on all GPUs; empty if the driver lists none of these processes, as in a container, whose processes have other numbers.
    OptionalLong bytes(Set<Long> members) {
        return bytes(gpus.stream().map(GpuMonitor::processes).flatMap(Optional::stream).toList(), members);
    }

    /// @param lists the processes of each GPU
    static OptionalLong bytes(List<List<GpuProcess>> lists, Set<Long> members) {
        long sum = 0;
        boolean known = false;
        for (List<GpuProcess> list : lists) {
            for (GpuProcess process : list) {
                if (members.contains(process.pid()) && process.used().isPresent()) {
                    sum += process.used().get();
                    known = true;
                }
            }
        }
        return known ? OptionalLong.of(sum) : OptionalLong.empty();
    }

    @Override
    public void close() {
        gpus.forEach(GpuMonitor::close);
    }
}
