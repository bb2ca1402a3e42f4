package org.inferometer.telemetry;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.inferometer.telemetry.TelemetrySample.GpuSample;

/// Reads one NVIDIA GPU. One thread at a time; its opener closes it.
///
/// "Utilisation" is the share of the driver's last sampling period, a sixth of a second to a second, in which any kernel ran; it does
/// not say how full the multiprocessors were. What a card does not tell is NaN in [GpuSample] and empty elsewhere.
public final class GpuMonitor implements AutoCloseable {
    private static final int NAME_BYTES = 96;
    private static final int VERSION_BYTES = 80;
    private static final long MEMORY_BYTES = 40;
    private static final int MEMORY_VERSION_2 = 40 | 2 << 24;
    private static final long PROCESS_BYTES = 24;
    private static final int MOST_PROCESSES = 4096;
    private static final int MOST_GPUS = 256;
    private static final int CLOCK_SM = 1;
    private static final int SENSOR_GPU = 0;
    private static final String MEMORY_V2 = "nvmlDeviceGetMemoryInfo_v2";
    private static final String MEMORY_V1 = "nvmlDeviceGetMemoryInfo";

    private final NvmlLibrary nvml;
    private final Arena arena = Arena.ofShared();
    private final int index;
    private final MemorySegment device;
    private final MemorySegment out = arena.allocate(MEMORY_BYTES, Long.BYTES);
    private final String memoryCall;
    private final String throttleCall;

    private GpuMonitor(NvmlLibrary nvml, int index) throws GpuException {
        this.nvml = nvml;
        this.index = index;
        this.device = handle(nvml, arena, index);
        this.memoryCall = memory(nvml, device, out, MEMORY_V2) ? MEMORY_V2 : MEMORY_V1;
        boolean renamed = nvml.call("nvmlDeviceGetCurrentClocksEventReasons", device, out) != NvmlLibrary.FUNCTION_NOT_FOUND;
        this.throttleCall = renamed ? "nvmlDeviceGetCurrentClocksEventReasons" : "nvmlDeviceGetCurrentClocksThrottleReasons";
    }

    /// Opens a GPU by its number in the driver's order.
    ///
    /// @throws GpuException when there is no driver or no such GPU
    public static GpuMonitor open(int index) throws GpuException {
        return open(NvmlLibrary.defaultNames(), index);
    }

    static GpuMonitor open(List<String> libraries, int index) throws GpuException {
        NvmlLibrary nvml = NvmlLibrary.open(libraries);
        try {
            return new GpuMonitor(nvml, index);
        } catch (GpuException absent) {
            nvml.close();
            throw absent;
        }
    }

    /// What it is.
    public GpuDescription description() {
        return describe(nvml, device, index);
    }

    /// The NVML function that memory comes from: version 2 leaves what the driver reserves out of "used", version 1 has it in.
    public String memoryCall() {
        return memoryCall;
    }

    /// All readings of now. Takes as long as the driver does, some of its calls up to milliseconds.
    public GpuSample read() {
        double used = memory(nvml, device, out, memoryCall)
                ? out.get(ValueLayout.JAVA_LONG, memoryCall.equals(MEMORY_V2) ? 32 : 16)
                : Double.NaN;
        double utilisation = nvml.call("nvmlDeviceGetUtilizationRates", device, out) == NvmlLibrary.OK
                ? Integer.toUnsignedLong(out.get(ValueLayout.JAVA_INT, 0))
                : Double.NaN;
        double milliwatts = word(nvml.call("nvmlDeviceGetPowerUsage", device, out));
        double millijoules = doubleWord(nvml.call("nvmlDeviceGetTotalEnergyConsumption", device, out));
        double megahertz = word(nvml.call("nvmlDeviceGetClockInfo", device, CLOCK_SM, out));
        double celsius = word(nvml.call("nvmlDeviceGetTemperature", device, SENSOR_GPU, out));
        double reasons = doubleWord(nvml.call(throttleCall, device, out));
        return new GpuSample(index, used, utilisation, milliwatts / 1000, millijoules / 1000, megahertz, celsius, reasons);
    }

    /// Processes that compute on the card now; empty where the driver does not tell. In a container it may tell of none.
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

    static int count(NvmlLibrary nvml) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment count = scratch.allocate(ValueLayout.JAVA_INT);
            boolean told = nvml.call("nvmlDeviceGetCount_v2", count) == NvmlLibrary.OK;
            return told ? Math.clamp(count.get(ValueLayout.JAVA_INT, 0), 0, MOST_GPUS) : 0;
        }
    }

    static String driverVersion(NvmlLibrary nvml) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment text = scratch.allocate(VERSION_BYTES);
            return nvml.call("nvmlSystemGetDriverVersion", text, VERSION_BYTES) == NvmlLibrary.OK ? text(text) : "";
        }
    }

    static GpuDescription describe(NvmlLibrary nvml, int index) throws GpuException {
        try (Arena scratch = Arena.ofConfined()) {
            return describe(nvml, handle(nvml, scratch, index), index);
        }
    }

    private static GpuDescription describe(NvmlLibrary nvml, MemorySegment device, int index) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment text = scratch.allocate(NAME_BYTES);
            MemorySegment out = scratch.allocate(MEMORY_BYTES, Long.BYTES);
            MemorySegment minor = scratch.allocate(ValueLayout.JAVA_INT);
            String name = nvml.call("nvmlDeviceGetName", device, text, NAME_BYTES) == NvmlLibrary.OK ? text(text) : "NVIDIA GPU";
            Long total = memory(nvml, device, out, MEMORY_V2) ? Long.valueOf(out.get(ValueLayout.JAVA_LONG, 8))
                    : memory(nvml, device, out, MEMORY_V1) ? Long.valueOf(out.get(ValueLayout.JAVA_LONG, 0)) : null;
            String capability = nvml.call("nvmlDeviceGetCudaComputeCapability", device, out, minor) == NvmlLibrary.OK
                    ? out.get(ValueLayout.JAVA_INT, 0) + "." + minor.get(ValueLayout.JAVA_INT, 0)
                    : null;
            Double limit = nvml.call("nvmlDeviceGetEnforcedPowerLimit", device, out) == NvmlLibrary.OK
                    ? Double.valueOf(Integer.toUnsignedLong(out.get(ValueLayout.JAVA_INT, 0)) / 1000.0)
                    : null;
            return new GpuDescription(index, name, total, capability, limit);
        }
    }

    private static MemorySegment handle(NvmlLibrary nvml, Arena arena, int index) throws GpuException {
        MemorySegment pointer = arena.allocate(ValueLayout.ADDRESS);
        int code = nvml.call("nvmlDeviceGetHandleByIndex_v2", index, pointer);
        if (code != NvmlLibrary.OK) {
            throw new GpuException("GPU " + index + " cannot be read: " + nvml.message(code) + ".");
        }
        return pointer.get(ValueLayout.ADDRESS, 0);
    }

    private static boolean memory(NvmlLibrary nvml, MemorySegment device, MemorySegment out, String function) {
        out.set(ValueLayout.JAVA_INT, 0, MEMORY_VERSION_2);
        return nvml.call(function, device, out) == NvmlLibrary.OK;
    }

    private double word(int code) {
        return code == NvmlLibrary.OK ? Integer.toUnsignedLong(out.get(ValueLayout.JAVA_INT, 0)) : Double.NaN;
    }

    private double doubleWord(int code) {
        return code == NvmlLibrary.OK ? out.get(ValueLayout.JAVA_LONG, 0) : Double.NaN;
    }

    private static List<GpuProcess> processes(MemorySegment infos, int count) {
        List<GpuProcess> processes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long bytes = infos.get(ValueLayout.JAVA_LONG, i * PROCESS_BYTES + 8);
            int pid = infos.get(ValueLayout.JAVA_INT, i * PROCESS_BYTES);
            processes.add(new GpuProcess(Integer.toUnsignedLong(pid), bytes < 0 ? Double.NaN : bytes));
        }
        return List.copyOf(processes);
    }

    /// Text of a fixed field, whether or not it ends with a zero.
    private static String text(MemorySegment field) {
        byte[] bytes = field.toArray(ValueLayout.JAVA_BYTE);
        int length = 0;
        while (length < bytes.length && bytes[length] != 0) {
            length++;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8).strip();
    }

    /// A process that computes on the card.
    ///
    /// @param pid as the host numbers it, which differs inside a container
    /// @param usedBytes NaN where the driver does not tell
    public record GpuProcess(long pid, double usedBytes) {}
}
