package org.inferometer.telemetry;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.inferometer.record.TelemetrySample.GpuSample;
import org.jspecify.annotations.Nullable;

/// Reads one NVIDIA GPU through the driver's management library (NVML). A reading allocates nothing but the sample.
///
/// Used by one thread at a time, except [#processes], which another thread may call. The caller closes it. Values that the card does
/// not report are NaN in [GpuSample] and empty elsewhere, never zero. "Utilisation" is the share of the driver's last sampling period
/// (1/6 s to 1 s) in which any kernel ran; it does not say how full the multiprocessors were.
public final class GpuMonitor implements AutoCloseable {
    private static final long PROCESS_BYTES = 24;
    private static final int MOST_PROCESSES = 4096;
    private static final int SENSOR_GPU = 0;

    private final NvmlLibrary nvml;
    private final Arena arena;
    private final int index;
    private final MemorySegment device;
    private final MemorySegment out;
    private final String memoryCall;
    private final String throttleCall;

    /// @param arena of the handle; closed with the monitor, as is the library
    private GpuMonitor(NvmlLibrary nvml, Arena arena, MemorySegment device, int index) {
        this.nvml = nvml;
        this.arena = arena;
        this.index = index;
        this.device = device;
        this.out = arena.allocate(NvmlCard.OUT_BYTES, Long.BYTES);
        this.memoryCall =
                NvmlCard.memory(nvml, device, out, NvmlCard.MEMORY_V2) ? NvmlCard.MEMORY_V2 : NvmlCard.MEMORY_V1;
        boolean renamed =
                nvml.call("nvmlDeviceGetCurrentClocksEventReasons", device, out) != NvmlLibrary.FUNCTION_NOT_FOUND;
        this.throttleCall =
                renamed ? "nvmlDeviceGetCurrentClocksEventReasons" : "nvmlDeviceGetCurrentClocksThrottleReasons";
    }

    /// Opens a GPU by its number in the driver's order.
    ///
    /// @throws GpuException when there is no driver or no such GPU
    static GpuMonitor open(List<String> libraries, int index) throws GpuException {
        return open(libraries, index, (nvml, arena) -> NvmlCard.handle(nvml, arena, index));
    }

    /// Opens the GPU or MIG instance with a UUID.
    ///
    /// @throws GpuException when there is no driver or no such GPU
    static GpuMonitor open(List<String> libraries, String uuid) throws GpuException {
        return open(libraries, 0, (nvml, arena) -> NvmlCard.handle(nvml, arena, uuid));
    }

    /// Finds one device.
    private interface Finding {
        MemorySegment device(NvmlLibrary nvml, Arena arena) throws GpuException;
    }

    private static GpuMonitor open(List<String> libraries, int usualIndex, Finding finding) throws GpuException {
        NvmlLibrary nvml = NvmlLibrary.open(libraries);
        Arena arena = Arena.ofShared();
        try {
            MemorySegment device = finding.device(nvml, arena);
            return new GpuMonitor(nvml, arena, device, NvmlCard.index(nvml, device, usualIndex));
        } catch (GpuException absent) {
            arena.close();
            nvml.close();
            throw absent;
        }
    }

    /// Name, size and settings, read again at each call.
    public GpuDescription description() {
        return NvmlCard.describe(nvml, device, index);
    }

    /// The NVML function that memory is read with. "Used" includes the driver's reserve in version 1, not in version 2.
    String memoryCall() {
        return memoryCall;
    }

    /// All readings of now. Some calls of the driver take milliseconds.
    public GpuSample read() {
        long usedBytes = NvmlCard.memory(nvml, device, out, memoryCall)
                ? out.get(ValueLayout.JAVA_LONG, memoryCall.equals(NvmlCard.MEMORY_V2) ? 32 : 16) : -1;
        double used = usedBytes < 0 ? Double.NaN : usedBytes;
        boolean busyReported = nvml.call("nvmlDeviceGetUtilizationRates", device, out) == NvmlLibrary.OK;
        double utilisation = busyReported ? DriverText.percent(Integer.toUnsignedLong(out.get(ValueLayout.JAVA_INT, 0)))
                : Double.NaN;
        double memoryUtilisation = busyReported
                ? DriverText.percent(Integer.toUnsignedLong(out.get(ValueLayout.JAVA_INT, 4))) : Double.NaN;
        double milliwatts = intOrNaN(nvml.call("nvmlDeviceGetPowerUsage", device, out));
        double millijoules = longOrNaN(nvml.call("nvmlDeviceGetTotalEnergyConsumption", device, out));
        double smMegahertz = intOrNaN(nvml.call("nvmlDeviceGetClockInfo", device, NvmlCard.CLOCK_SM, out));
        double memoryMegahertz = intOrNaN(nvml.call("nvmlDeviceGetClockInfo", device, NvmlCard.CLOCK_MEMORY, out));
        double celsius = intOrNaN(nvml.call("nvmlDeviceGetTemperature", device, SENSOR_GPU, out));
        double reasons = longOrNaN(nvml.call(throttleCall, device, out));
        return new GpuSample(index, used, utilisation, milliwatts / 1000, millijoules / 1000, smMegahertz, celsius,
                reasons, memoryUtilisation, memoryMegahertz);
    }

    /// Processes that compute on the card now; empty if the driver does not report them. In a container it may report none.
    public Optional<List<GpuProcess>> processes() {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment count = scratch.allocate(ValueLayout.JAVA_INT);
            int capacity = 0;
            MemorySegment infos = MemorySegment.NULL;
            // The list may grow between two calls, so each try leaves room for more.
            for (int attempt = 0; attempt < 4; attempt++) {
                count.set(ValueLayout.JAVA_INT, 0, capacity);
                int code = nvml.call("nvmlDeviceGetComputeRunningProcesses_v3", device, count, infos);
                int needed = count.get(ValueLayout.JAVA_INT, 0);
                if (code == NvmlLibrary.OK) {
                    return Optional.of(processes(infos, Math.clamp(needed, 0, capacity)));
                }
                if (code != NvmlLibrary.INSUFFICIENT_SIZE || needed < 0 || needed > MOST_PROCESSES) {
                    return Optional.empty();
                }
                capacity = needed + 8;
                infos = scratch.allocate(capacity * PROCESS_BYTES, Long.BYTES);
            }
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        arena.close();
        nvml.close();
    }

    /// A process that computes on the card.
    ///
    /// @param pid as the host numbers it, which differs inside a container
    /// @param usedBytes absent if the driver does not report it
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record GpuProcess(long pid, @Nullable Long usedBytes) {
        /// Memory of the card that the process holds.
        public Optional<Long> used() {
            return Optional.ofNullable(usedBytes);
        }
    }

    private double intOrNaN(int code) {
        return code == NvmlLibrary.OK ? Integer.toUnsignedLong(out.get(ValueLayout.JAVA_INT, 0)) : Double.NaN;
    }

    private double longOrNaN(int code) {
        return code == NvmlLibrary.OK ? out.get(ValueLayout.JAVA_LONG, 0) : Double.NaN;
    }

    private static List<GpuProcess> processes(MemorySegment infos, int count) {
        List<GpuProcess> processes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long bytes = infos.get(ValueLayout.JAVA_LONG, i * PROCESS_BYTES + 8);
            int pid = infos.get(ValueLayout.JAVA_INT, i * PROCESS_BYTES);
            processes.add(new GpuProcess(Integer.toUnsignedLong(pid), bytes < 0 ? null : Long.valueOf(bytes)));
        }
        return List.copyOf(processes);
    }
}
