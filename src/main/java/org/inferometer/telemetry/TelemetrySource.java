package org.inferometer.telemetry;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import org.inferometer.record.MemoryOwner;
import org.inferometer.record.TelemetrySample;
import org.jspecify.annotations.Nullable;

/// Reads one [TelemetrySample]. Read by one thread at a time; allocates little beside the sample.
///
/// On the host the total is the resident set of this process; the Java runtime is one of its owners, and libraries and stacks are
/// unattributed. On a GPU the total is the card's memory in use by all processes. If the card does not report it at the first
/// sample, all samples use the account's sum, so that a series never mixes the two.
public final class TelemetrySource {
    private final HostProcess process;
    private final MemoryAccount books;
    private final @Nullable GpuMonitor gpu;
    private final boolean computesOnGpu;
    private final GarbageCollectorMXBean[] collectors =
            ManagementFactory.getGarbageCollectorMXBeans().toArray(GarbageCollectorMXBean[]::new);

    private boolean started;
    private boolean cardTells;

    private TelemetrySource(HostProcess process, MemoryAccount books, @Nullable GpuMonitor gpu, boolean computesOnGpu) {
        this.process = process;
        this.books = owner -> owner != MemoryOwner.JAVA_RUNTIME ? books.bytes(owner) : computesOnGpu ? 0
                : process.runtimeBytes();
        this.gpu = gpu;
        this.computesOnGpu = computesOnGpu;
    }

    /// For a run on the CPU. The caller closes the process.
    public static TelemetrySource ofHost(HostProcess process, MemoryAccount books) {
        return new TelemetrySource(process, books, null, false);
    }

    /// For a run on the CPU while a GPU of the machine is sampled too. The caller closes both.
    public static TelemetrySource ofHostWatching(HostProcess process, MemoryAccount books, GpuMonitor gpu) {
        return new TelemetrySource(process, books, gpu, false);
    }

    /// For a run on a GPU. The caller closes process and monitor.
    public static TelemetrySource ofGpu(HostProcess process, MemoryAccount books, GpuMonitor gpu) {
        return new TelemetrySource(process, books, gpu, true);
    }

    /// For a run on a GPU that cannot be read: the total is the account's sum. The caller closes the process.
    public static TelemetrySource ofUnreadGpu(HostProcess process, MemoryAccount books) {
        return new TelemetrySource(process, books, null, true);
    }

    /// A sample of now.
    ///
    /// @param nanos the instant that the sample carries
    /// @throws RuntimeException if the system, or a card that reported its memory before, does not answer; the next reading may work
    public TelemetrySample read(long nanos) {
        TelemetrySample.GpuSample gpuSample = gpu == null ? null : gpu.read();
        long totalBytes = total(gpuSample);
        Runtime runtime = Runtime.getRuntime();
        long collections = 0;
        long collectionMillis = 0;
        for (GarbageCollectorMXBean collector : collectors) {
            collections += Math.max(0, collector.getCollectionCount());
            collectionMillis += Math.max(0, collector.getCollectionTime());
        }
        return new TelemetrySample(nanos, MemorySplit.of(books, totalBytes), totalBytes, process.cpuNanos(),
                runtime.totalMemory() - runtime.freeMemory(), collections, collectionMillis, gpuSample);
    }

    private long total(TelemetrySample.@Nullable GpuSample gpuSample) {
        if (!computesOnGpu) {
            return process.residentBytes();
        }
        boolean reported = gpuSample != null && Double.isFinite(gpuSample.usedBytes());
        if (!started) {
            started = true;
            cardTells = reported;
        }
        if (!cardTells) {
            return MemorySplit.booked(books);
        }
        if (gpuSample == null || !reported) {
            throw new IllegalStateException("The GPU did not report its memory.");
        }
        return (long) gpuSample.usedBytes();
    }
}
