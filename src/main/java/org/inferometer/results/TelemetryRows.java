package org.inferometer.results;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.inferometer.record.MemoryOwner;
import org.inferometer.record.TelemetrySample;

/// `telemetry.csv`: one row per sample. GPU fields are empty without a GPU, and for readings that the card does not give.
///
/// Counters are -1 if the Java runtime does not have them. Unattributed bytes are negative if the owners' bytes exceed the resident
/// memory.
final class TelemetryRows {
    static final long MAX_ROWS = 50_000_000;
    /// Owners of the first columns; the Java runtime was added behind all others.
    private static final List<MemoryOwner> FIRST_OWNERS =
            Arrays.stream(MemoryOwner.values()).filter(owner -> owner != MemoryOwner.JAVA_RUNTIME).toList();
    static final List<String> COLUMNS = columns();
    /// Columns that every record of this format has; records written before a later column lack it.
    static final int FIRST_COLUMNS = COLUMNS.size() - 1;
    private static final int GPU_COLUMNS = 10;
    private static final int OWNERS = MemoryOwner.values().length;
    private static final int UNKNOWN = -1;

    private TelemetryRows() {}

    private static List<String> columns() {
        List<String> columns = new ArrayList<>(List.of("at_ns"));
        FIRST_OWNERS.forEach(owner -> columns.add(owner.id() + "_bytes"));
        columns.addAll(List.of("total_bytes", "process_cpu_ns", "heap_used_bytes", "gc_count", "gc_ms", "gpu_index",
                "gpu_used_bytes", "gpu_utilisation_percent", "gpu_power_w", "gpu_energy_j", "gpu_sm_clock_mhz",
                "gpu_temperature_c", "gpu_throttle_reasons", "gpu_memory_utilisation_percent", "gpu_memory_clock_mhz",
                MemoryOwner.JAVA_RUNTIME.id() + "_bytes"));
        return List.copyOf(columns);
    }

    static void write(CsvWriter out, TelemetrySample sample) throws IOException {
        out.number(sample.nanos());
        for (MemoryOwner owner : FIRST_OWNERS) {
            out.number(sample.ownerBytes()[owner.ordinal()]);
        }
        out.number(sample.totalBytes()).number(sample.processCpuNanos()).number(sample.heapUsedBytes());
        out.number(sample.gcCount()).number(sample.gcMillis());
        TelemetrySample.GpuSample gpu = sample.gpu();
        if (gpu == null) {
            for (int i = 0; i < GPU_COLUMNS; i++) {
                out.absent();
            }
        } else {
            out.number(gpu.index()).real(gpu.usedBytes()).real(gpu.utilisationPercent()).real(gpu.powerWatts())
                    .real(gpu.energyJoules());
            out.real(gpu.smClockMegahertz()).real(gpu.temperatureCelsius()).real(gpu.throttleReasons());
            out.real(gpu.memoryUtilisationPercent()).real(gpu.memoryClockMegahertz());
        }
        out.number(sample.ownerBytes()[MemoryOwner.JAVA_RUNTIME.ordinal()]);
        out.endRow();
    }

    static TelemetrySample read(CsvReader in) throws ResultFormatException {
        long[] ownerBytes = new long[OWNERS];
        for (int i = 0; i < FIRST_OWNERS.size(); i++) {
            MemoryOwner owner = FIRST_OWNERS.get(i);
            ownerBytes[owner.ordinal()] =
                    in.number(1 + i, owner == MemoryOwner.UNATTRIBUTED ? Long.MIN_VALUE + 1 : 0, Long.MAX_VALUE);
        }
        ownerBytes[MemoryOwner.JAVA_RUNTIME.ordinal()] =
                in.isAbsent(FIRST_COLUMNS) ? UNKNOWN : in.number(FIRST_COLUMNS, UNKNOWN, Long.MAX_VALUE);
        int at = 1 + FIRST_OWNERS.size();
        long farthest = TokenFile.FARTHEST_NANOS;
        return new TelemetrySample(in.number(0, -farthest, farthest), ownerBytes,
                in.number(at, UNKNOWN, Long.MAX_VALUE), in.number(at + 1, UNKNOWN, Long.MAX_VALUE),
                in.number(at + 2, UNKNOWN, Long.MAX_VALUE), in.number(at + 3, UNKNOWN, Long.MAX_VALUE),
                in.number(at + 4, UNKNOWN, Long.MAX_VALUE), in.isAbsent(at + 5) ? null : gpu(in, at + 5));
    }

    private static TelemetrySample.GpuSample gpu(CsvReader in, int at) throws ResultFormatException {
        return new TelemetrySample.GpuSample(in.count(at), in.real(at + 1), in.real(at + 2), in.real(at + 3),
                in.real(at + 4), in.real(at + 5), in.real(at + 6), in.real(at + 7), in.real(at + 8), in.real(at + 9));
    }
}
