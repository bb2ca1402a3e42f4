package org.inferometer.telemetry;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.inferometer.telemetry.GpuSettings.PcieLink;
import org.jspecify.annotations.Nullable;

/// NVML's description of card and driver. Struct layouts as in nvml.h.
final class NvmlCard {
    static final int CLOCK_SM = 1;
    static final int CLOCK_MEMORY = 2;
    static final String MEMORY_V2 = "nvmlDeviceGetMemoryInfo_v2";
    static final String MEMORY_V1 = "nvmlDeviceGetMemoryInfo";
    /// The largest struct used here, nvmlPciInfo_t, rounded up.
    static final long OUT_BYTES = 72;
    private static final int MEMORY_VERSION_2 = 40 | 2 << 24;
    private static final int NAME_BYTES = 96;
    private static final int VERSION_BYTES = 80;
    private static final int BUS_ID_OFFSET = 36;
    private static final int BUS_ID_BYTES = 32;
    private static final int MOST_GPUS = 256;

    private final NvmlLibrary nvml;
    private final MemorySegment device;
    private final MemorySegment out;
    private final MemorySegment second;

    private NvmlCard(NvmlLibrary nvml, MemorySegment device, Arena scratch) {
        this.nvml = nvml;
        this.device = device;
        this.out = scratch.allocate(OUT_BYTES, Long.BYTES);
        this.second = scratch.allocate(ValueLayout.JAVA_LONG);
    }

    static int count(NvmlLibrary nvml) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment count = scratch.allocate(ValueLayout.JAVA_INT);
            boolean reported = nvml.call("nvmlDeviceGetCount_v2", count) == NvmlLibrary.OK;
            return reported ? Math.clamp(count.get(ValueLayout.JAVA_INT, 0), 0, MOST_GPUS) : 0;
        }
    }

    static String driverVersion(NvmlLibrary nvml) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment text = scratch.allocate(VERSION_BYTES);
            return nvml.call("nvmlSystemGetDriverVersion", text, VERSION_BYTES) == NvmlLibrary.OK ? text(text) : "";
        }
    }

    /// "13.0", from 1000 · major + 10 · minor; empty if not reported.
    static String cudaVersion(NvmlLibrary nvml) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment number = scratch.allocate(ValueLayout.JAVA_INT);
            boolean reported = nvml.call("nvmlSystemGetCudaDriverVersion_v2", number) == NvmlLibrary.OK;
            int version = number.get(ValueLayout.JAVA_INT, 0);
            return reported && version >= 1000 ? version / 1000 + "." + version % 1000 / 10 : "";
        }
    }

    static MemorySegment handle(NvmlLibrary nvml, Arena arena, int index) throws GpuException {
        MemorySegment pointer = arena.allocate(ValueLayout.ADDRESS);
        int code = nvml.call("nvmlDeviceGetHandleByIndex_v2", index, pointer);
        if (code != NvmlLibrary.OK) {
            throw new GpuException("GPU " + index + " cannot be read: " + nvml.message(code) + ".");
        }
        return pointer.get(ValueLayout.ADDRESS, 0);
    }

    /// The handle of the card or MIG instance with a UUID.
    static MemorySegment handle(NvmlLibrary nvml, Arena arena, String uuid) throws GpuException {
        MemorySegment pointer = arena.allocate(ValueLayout.ADDRESS);
        int code = nvml.call("nvmlDeviceGetHandleByUUID", arena.allocateFrom(uuid), pointer);
        if (code != NvmlLibrary.OK && uuid.startsWith("GPU-")) {
            code = nvml.call("nvmlDeviceGetHandleByUUID", arena.allocateFrom("MIG-" + uuid.substring(4)), pointer);
        }
        if (code != NvmlLibrary.OK) {
            throw new GpuException("The computing GPU was not found: " + nvml.message(code) + ".");
        }
        return pointer.get(ValueLayout.ADDRESS, 0);
    }

    /// The card's number in the driver's order; for a MIG instance that of its card.
    static int index(NvmlLibrary nvml, MemorySegment device, int usual) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment number = scratch.allocate(ValueLayout.JAVA_INT);
            MemorySegment whole = scratch.allocate(ValueLayout.ADDRESS);
            boolean reported = nvml.call("nvmlDeviceGetIndex", device, number) == NvmlLibrary.OK || (nvml
                    .call("nvmlDeviceGetDeviceHandleFromMigDeviceHandle", device, whole) == NvmlLibrary.OK
                    && nvml.call("nvmlDeviceGetIndex", whole.get(ValueLayout.ADDRESS, 0), number) == NvmlLibrary.OK);
            return reported ? Math.max(0, number.get(ValueLayout.JAVA_INT, 0)) : usual;
        }
    }

    /// Writes the card's memory to `out`; version 2 needs the struct's version in it.
    static boolean memory(NvmlLibrary nvml, MemorySegment device, MemorySegment out, String function) {
        out.set(ValueLayout.JAVA_INT, 0, MEMORY_VERSION_2);
        return nvml.call(function, device, out) == NvmlLibrary.OK;
    }

    static GpuDescription describe(NvmlLibrary nvml, MemorySegment device, int index) {
        try (Arena scratch = Arena.ofConfined()) {
            NvmlCard card = new NvmlCard(nvml, device, scratch);
            MemorySegment text = scratch.allocate(NAME_BYTES);
            String name = nvml.call("nvmlDeviceGetName", device, text, NAME_BYTES) == NvmlLibrary.OK ? text(text)
                    : "NVIDIA GPU";
            return new GpuDescription(index, name, card.total(), card.capability(),
                    card.watts("nvmlDeviceGetEnforcedPowerLimit"), card.settings());
        }
    }

    private @Nullable Long total() {
        return memory(nvml, device, out, MEMORY_V2) ? Long.valueOf(out.get(ValueLayout.JAVA_LONG, 8))
                : memory(nvml, device, out, MEMORY_V1) ? Long.valueOf(out.get(ValueLayout.JAVA_LONG, 0))
                : null;
    }

    private @Nullable String capability() {
        return nvml.call("nvmlDeviceGetCudaComputeCapability", device, out, second) == NvmlLibrary.OK
                ? out.get(ValueLayout.JAVA_INT, 0) + "." + second.get(ValueLayout.JAVA_INT, 0) : null;
    }

    private GpuSettings settings() {
        return new GpuSettings(busId(),
                PcieLink.of(number("nvmlDeviceGetCurrPcieLinkGeneration"), number("nvmlDeviceGetCurrPcieLinkWidth")),
                PcieLink.of(number("nvmlDeviceGetMaxPcieLinkGeneration"), number("nvmlDeviceGetMaxPcieLinkWidth")),
                mode("nvmlDeviceGetEccMode"), mode("nvmlDeviceGetMigMode"), yes(number("nvmlDeviceGetPersistenceMode")),
                // Not nvmlDeviceGetDisplayMode, which is also true for cards without connectors.
                yes(number("nvmlDeviceGetDisplayActive")), watts("nvmlDeviceGetPowerManagementDefaultLimit"),
                mostClock(CLOCK_SM), mostClock(CLOCK_MEMORY));
    }

    private @Nullable String busId() {
        String id = nvml.call("nvmlDeviceGetPciInfo_v3", device, out) == NvmlLibrary.OK
                ? text(out.asSlice(BUS_ID_OFFSET, BUS_ID_BYTES)) : "";
        return id.isEmpty() ? null : id;
    }

    private double number(String function) {
        return nvml.call(function, device, out) == NvmlLibrary.OK
                ? Integer.toUnsignedLong(out.get(ValueLayout.JAVA_INT, 0)) : Double.NaN;
    }

    private @Nullable Double watts(String function) {
        return DriverText.orAbsent(number(function) / 1000);
    }

    private @Nullable Double mostClock(int type) {
        boolean reported = nvml.call("nvmlDeviceGetMaxClockInfo", device, type, out) == NvmlLibrary.OK;
        return reported ? Double.valueOf(Integer.toUnsignedLong(out.get(ValueLayout.JAVA_INT, 0))) : null;
    }

    /// A mode that has a state now and one after the next start.
    private @Nullable Boolean mode(String function) {
        return nvml.call(function, device, out, second) == NvmlLibrary.OK
                ? Boolean.valueOf(out.get(ValueLayout.JAVA_INT, 0) == 1) : null;
    }

    static @Nullable Boolean yes(double number) {
        return Double.isNaN(number) ? null : Boolean.valueOf(number == 1);
    }

    /// Text of a fixed field, whether or not it ends with a zero.
    private static String text(MemorySegment field) {
        byte[] bytes = field.toArray(ValueLayout.JAVA_BYTE);
        int length = 0;
        while (length < bytes.length && bytes[length] != 0) {
            length++;
        }
        return DriverText.clean(new String(bytes, 0, length, StandardCharsets.UTF_8));
    }
}
