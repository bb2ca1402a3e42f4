package org.inferometer.execution;

import java.util.OptionalDouble;

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
