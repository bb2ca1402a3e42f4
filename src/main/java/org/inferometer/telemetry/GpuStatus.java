package org.inferometer.telemetry;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Optional;
import org.inferometer.record.TelemetrySample.GpuSample;
import org.inferometer.record.ThrottleReasons;
import org.inferometer.telemetry.GpuMonitor.GpuProcess;
import org.jspecify.annotations.Nullable;

/// Current readings of a GPU; absent values are not reported by the driver.
///
/// @param memoryUtilisationPercent share of the driver's last sampling period in which memory was read or written
/// @param lowestSmClockMegahertz of at least two readings; like the highest, absent with only one
/// @param idle whether the driver reports low clocks because the GPU is idle
/// @param clocksSet whether the driver reports locked clocks
/// @param slowedBy reasons of throttling, in words
/// @param processes that compute on the card
@JsonInclude(JsonInclude.Include.NON_NULL)
public record GpuStatus(int index, @Nullable Long usedBytes, @Nullable Double utilisationPercent,
        @Nullable Double memoryUtilisationPercent, @Nullable Double powerWatts, @Nullable Double temperatureCelsius,
        @Nullable Double smClockMegahertz, @Nullable Double memoryClockMegahertz,
        @Nullable Double lowestSmClockMegahertz, @Nullable Double highestSmClockMegahertz, @Nullable Boolean idle,
        @Nullable Boolean clocksSet, @Nullable List<String> slowedBy, @Nullable List<GpuProcess> processes) {

    /// From consecutive readings; the last one is current.
    ///
    /// @param readings at least one
    static GpuStatus of(List<GpuSample> readings, Optional<List<GpuProcess>> processes) {
        GpuSample now = readings.getLast();
        double[] clocks = readings.stream().mapToDouble(GpuSample::smClockMegahertz).filter(Double::isFinite).toArray();
        double reasons = now.throttleReasons();
        boolean reported = Double.isFinite(reasons);
        return new GpuStatus(now.index(),
                Double.isFinite(now.usedBytes()) ? Long.valueOf((long) now.usedBytes()) : null,
                DriverText.orAbsent(now.utilisationPercent()), DriverText.orAbsent(now.memoryUtilisationPercent()),
                DriverText.orAbsent(now.powerWatts()), DriverText.orAbsent(now.temperatureCelsius()),
                DriverText.orAbsent(now.smClockMegahertz()), DriverText.orAbsent(now.memoryClockMegahertz()),
                clocks.length < 2 ? null : Double.valueOf(java.util.Arrays.stream(clocks).min().orElseThrow()),
                clocks.length < 2 ? null : Double.valueOf(java.util.Arrays.stream(clocks).max().orElseThrow()),
                reported ? Boolean.valueOf(ThrottleReasons.idle(reasons)) : null,
                reported ? Boolean.valueOf(ThrottleReasons.set(reasons)) : null,
                reported ? ThrottleReasons.labels(reasons) : null, processes.orElse(null));
    }
}
