package org.inferometer.telemetry;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import org.inferometer.record.TelemetrySample;
import org.jspecify.annotations.Nullable;

/// Reads one [TelemetrySample]. Read by one thread at a time; allocates nothing but the sample.
///
/// On the host the total is the resident set of this process: Java heap, code and libraries are in it and appear as
/// unattributed. On a GPU the total is the card's memory in use, by whichever process; a card that does not tell it at the first
/// sample has the books' sum instead, to the end, so that one series never mixes the two.
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
        this.books = books;
        this.gpu = gpu;
        this.computesOnGpu = computesOnGpu;
    }

    /// Of a run whose engine computes on the CPU. The process stays the caller's to close.
    public static TelemetrySource ofHost(HostProcess process, MemoryAccount books) {
        return new TelemetrySource(process, books, null, false);
    }

    /// Of a run whose engine computes on the CPU while a GPU of the same machine is watched. Both stay the caller's to close.
    public static TelemetrySource ofHostWatching(HostProcess process, MemoryAccount books, GpuMonitor gpu) {
        return new TelemetrySource(process, books, gpu, false);
    }

    /// Of a run whose engine computes on a GPU. Process and monitor stay the caller's to close.
    public static TelemetrySource ofGpu(HostProcess process, MemoryAccount books, GpuMonitor gpu) {
        return new TelemetrySource(process, books, gpu, true);
    }

    /// Of a run whose engine computes on a GPU that cannot be read: the total is what the books say. The process stays the caller's to close.
    public static TelemetrySource ofUnreadGpu(HostProcess process, MemoryAccount books) {
        return new TelemetrySource(process, books, null, true);
    }

    /// A sample of now.
    ///
    /// @param nanos the instant that the sample carries
    /// @throws RuntimeException when the system, or a card that told its memory before, does not answer; the next reading may work
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
        boolean told = gpuSample != null && Double.isFinite(gpuSample.usedBytes());
        if (!started) {
            started = true;
            cardTells = told;
        }
        if (!cardTells) {
            return MemorySplit.booked(books);
        }
        if (gpuSample == null || !told) {
            throw new IllegalStateException("The card does not tell its memory now.");
        }
        return (long) gpuSample.usedBytes();
    }
}
