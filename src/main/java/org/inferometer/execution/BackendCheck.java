package org.inferometer.execution;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/// A check of a backend on this machine for `selfcheck`; it needs no engine.
///
/// @param id prefix of the ids of its figures: "host_agreement"
/// @param name in the message if the check could not run
/// @param unit of its figures
/// @param small the same on the smallest sizes, to see that it runs; absent if it has none. Its times and rates have no limits.
public record BackendCheck(String id, String name, String unit, Measurement measurement, Optional<Measurement> small) {
    /// A check without a small size.
    public BackendCheck(String id, String name, String unit, Measurement measurement) {
        this(id, name, unit, measurement, Optional.empty());
    }

    /// Measures on the calling thread.
    @FunctionalInterface
    public interface Measurement {
        /// @param progress receives the name of each part as it begins
        /// @throws ExecutorException if the check could not run, with the reason
        List<BackendFigure> run(Consumer<String> progress) throws ExecutorException, InterruptedException;
    }

    /// A figure of a backend, measured by a self-check.
    ///
    /// @param id stable name in files: "host_decode"
    /// @param value in `unit`
    /// @param unit "x" for ratios, "%" for shares, "s" and "µs" for times, "GB/s", "GFLOP/s"
    /// @param higherIsBetter whether values above the limit are good
    /// @param limit absent if the value is only reported
    /// @param sentence the comparison, with the rates of a ratio
    public record BackendFigure(String id, String name, double value, String unit, boolean higherIsBetter,
            OptionalDouble limit, String sentence) {
        /// A figure with a limit.
        public BackendFigure(String id, String name, double value, String unit, boolean higherIsBetter, double limit,
                String sentence) {
            this(id, name, value, unit, higherIsBetter, OptionalDouble.of(limit), sentence);
        }

        /// Whether the value meets its limit; true without a limit.
        public boolean withinLimit() {
            return limit.isEmpty() || (higherIsBetter ? value >= limit.getAsDouble() : value <= limit.getAsDouble());
        }
    }
}
