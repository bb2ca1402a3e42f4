package org.inferometer.execution.backend;

import java.util.OptionalDouble;

/// One figure of a backend against what the same machine gave in the same run.
///
/// @param id stable name in files: "host_decode_int4"
/// @param value a ratio, or seconds where `unit` says so
/// @param unit "x" for ratios, "%" for shares, "s" for times
/// @param higherIsBetter which side of the limit is good
/// @param limit that the value is held against; absent where it is only told
/// @param sentence what was compared, with the rates behind the ratio
public record BackendRatio(String id, String name, double value, String unit, boolean higherIsBetter,
        OptionalDouble limit, String sentence) {
    /// One that is held against a limit.
    public BackendRatio(String id, String name, double value, String unit, boolean higherIsBetter, double limit,
            String sentence) {
        this(id, name, value, unit, higherIsBetter, OptionalDouble.of(limit), sentence);
    }

    /// Whether it is on the good side of its limit; without one it always is.
    public boolean held() {
        return limit.isEmpty() || (higherIsBetter ? value >= limit.getAsDouble() : value <= limit.getAsDouble());
    }
}
