package org.inferometer.report;

import org.inferometer.record.Metric.Unit;

/// The unit of an axis, chosen by its largest value.
///
/// @param label as written on the axis
/// @param raw how many raw units (nanoseconds, bytes) it has
public record AxisUnit(String label, double raw) {
    /// For durations of runs.
    public static final AxisUnit SECONDS = new AxisUnit("s", 1e9);
    /// For decision times.
    public static final AxisUnit MICROSECONDS = new AxisUnit("µs", 1e3);

    /// The unit that tables show a kind of quantity in.
    public static AxisUnit ofTables(Unit unit) {
        return switch (unit) {
            case NANOSECONDS -> new AxisUnit("ms", 1e6);
            case PER_SECOND_REQUESTS -> new AxisUnit("req/s", 1);
            case PER_SECOND_TOKENS -> new AxisUnit("tok/s", 1);
            case FRACTION -> new AxisUnit("%", 0.01);
            case BYTES -> new AxisUnit("MiB", 1 << 20);
            case COUNT -> new AxisUnit("", 1);
            case JOULES_PER_TOKEN -> new AxisUnit("J/token", 1);
            case WATTS -> new AxisUnit("W", 1);
            case PRICE_PER_MILLION_TOKENS -> new AxisUnit("per 1M tokens", 1);
            case RATIO -> new AxisUnit("ratio", 1);
        };
    }

    /// The unit for a kind of quantity.
    ///
    /// @param largest the largest raw value that is shown
    public static AxisUnit of(Unit unit, double largest) {
        return switch (unit) {
            case NANOSECONDS -> ofLatency(largest);
            case BYTES -> ofMemory(largest);
            case FRACTION, PER_SECOND_REQUESTS, PER_SECOND_TOKENS, COUNT, JOULES_PER_TOKEN, WATTS,
                    PRICE_PER_MILLION_TOKENS, RATIO ->
                ofTables(unit);
        };
    }

    /// Microseconds below 1 ms, milliseconds below 10 s, else seconds.
    public static AxisUnit ofLatency(double largestNanos) {
        if (largestNanos < 1e6) {
            return new AxisUnit("µs", 1e3);
        }
        return largestNanos < 10e9 ? new AxisUnit("ms", 1e6) : new AxisUnit("s", 1e9);
    }

    /// MiB below 1 GiB, else GiB.
    public static AxisUnit ofMemory(double largestBytes) {
        return largestBytes < 1L << 30 ? new AxisUnit("MiB", 1 << 20) : new AxisUnit("GiB", 1L << 30);
    }

    /// A raw value on the axis.
    public double of(double value) {
        return value / raw;
    }
}
