package org.inferometer.execution;

import java.util.OptionalDouble;

/// One figure of a backend that a self-check measured.
///
/// @param id stable name in files: "host_decode"
/// @param value in `unit`
/// @param unit "x" for ratios, "%" for shares, "s" for times, "GB/s", "GFLOP/s"
/// @param higherIsBetter which side of the limit is good
/// @param limit that the value is held against; absent if it is only reported
/// @param sentence what was compared, with the rates behind a ratio
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
