package org.inferometer.telemetry;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One NVIDIA GPU, without anything that identifies the individual card.
///
/// @param name as the driver reports it: "NVIDIA H200"
/// @param totalBytes memory; absent if the driver does not report it
/// @param computeCapability "9.0"; absent if the driver does not report it
/// @param powerLimitWatts enforced limit; absent if the driver does not report it
public record GpuDescription(int index, String name, @Nullable Long totalBytes, @Nullable String computeCapability,
        @Nullable Double powerLimitWatts, GpuSettings settings) {
    /// Memory of the card.
    public Optional<Long> memory() {
        return Optional.ofNullable(totalBytes);
    }

    /// CUDA compute capability.
    public Optional<String> capability() {
        return Optional.ofNullable(computeCapability);
    }

    /// Enforced power limit.
    public Optional<Double> powerLimit() {
        return Optional.ofNullable(powerLimitWatts);
    }
}
