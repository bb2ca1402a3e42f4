package org.inferometer.telemetry;

import java.util.List;
import java.util.OptionalDouble;
import oshi.SystemInfo;
import oshi.hardware.CentralProcessor;
import oshi.hardware.GlobalMemory;

/// Reads CPU, memory and GPUs of this machine for the Devices view. Used by one thread at a time; the caller closes it.
public final class MachineMonitor implements AutoCloseable {
    private final CentralProcessor processor;
    private final GlobalMemory memory;
    private final List<GpuMonitor> gpus;
    private long[] ticks;

    /// One reading.
    ///
    /// @param cpuLoad share of all cores in use since the reading before; empty if not reported
    /// @param freeMemoryBytes available without swapping
    /// @param gpus in the driver's order
    public record Moment(OptionalDouble cpuLoad, long freeMemoryBytes, List<GpuStatus> gpus) {}

    private MachineMonitor(List<GpuMonitor> gpus) {
        SystemInfo system = MachineProbe.system();
        this.gpus = gpus;
        processor = system.getHardware().getProcessor();
        memory = system.getHardware().getMemory();
        ticks = processor.getSystemCpuLoadTicks();
    }

    /// Opens the CPU and every GPU that the report names; one that cannot be opened is left out.
    public static MachineMonitor open(GpuAccess access, GpuReport report) {
        return new MachineMonitor(access.openAll(report));
    }

    /// All readings of now.
    public Moment read() {
        double load = processor.getSystemCpuLoadBetweenTicks(ticks);
        ticks = processor.getSystemCpuLoadTicks();
        List<GpuStatus> statuses =
                gpus.stream().map(gpu -> GpuStatus.of(List.of(gpu.read()), gpu.processes())).toList();
        return new Moment(load >= 0 && load <= 1 ? OptionalDouble.of(load) : OptionalDouble.empty(),
                MachineProbe.freeMemoryBytes(memory), statuses);
    }

    @Override
    public void close() {
        gpus.forEach(GpuMonitor::close);
    }
}
