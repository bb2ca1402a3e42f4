package org.inferometer.record;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The machine's load at one instant.
///
/// @param nanos of the run's clock
/// @param ownerBytes bytes by [MemoryOwner#ordinal()]; those of [MemoryOwner#JAVA_RUNTIME] are -1 where a record does not separate them; of the device that computes (the process, on the host)
/// @param totalBytes the device's total in use that the owners' bytes add up to: resident set size on the host
/// @param processCpuNanos CPU time of the process so far
/// @param heapUsedBytes Java heap in use
/// @param gcCount collections so far
/// @param gcMillis time in collections so far
/// @param gpu absent without a GPU
public record TelemetrySample(long nanos, long[] ownerBytes, long totalBytes, long processCpuNanos, long heapUsedBytes,
        long gcCount, long gcMillis, @Nullable GpuSample gpu) {

    /// The GPU readings; empty without a GPU.
    public Optional<GpuSample> gpuReadings() {
        return Optional.ofNullable(gpu);
    }

    /// Readings of one GPU; missing readings are NaN.
    ///
    /// @param memoryUtilisationPercent share of the driver's last sampling period in which memory was read or written
    public record GpuSample(int index, double usedBytes, double utilisationPercent, double powerWatts,
            double energyJoules, double smClockMegahertz, double temperatureCelsius, double throttleReasons,
            double memoryUtilisationPercent, double memoryClockMegahertz) {
        /// A GPU without readings.
        public static GpuSample unread(int index) {
            return new GpuSample(index, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN,
                    Double.NaN, Double.NaN, Double.NaN);
        }
    }
}
