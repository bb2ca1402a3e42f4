package org.inferometer.report.timeline;

import org.inferometer.units.QuantityText;

/// The unit of a counter, which writes its values.
public enum CounterUnit {
    /// Requests or blocks.
    COUNT(""),
    /// Cores that a process kept busy.
    CORES(" cores"),
    /// Percent of a device's time.
    PERCENT(" %"),
    /// A clock.
    MEGAHERTZ(" MHz"),
    /// Power.
    WATTS(" W"),
    /// Temperature.
    CELSIUS(" °C"),
    /// Memory.
    BYTES(""),
    /// Durations.
    NANOSECONDS("");

    private final String suffix;

    CounterUnit(String suffix) {
        this.suffix = suffix;
    }

    /// A value with its unit: "1.80 cores", "12.3 MiB".
    public String text(double value) {
        return switch (this) {
            case COUNT -> Long.toString(Math.round(value));
            case BYTES -> QuantityText.bytes(Math.round(value));
            case NANOSECONDS -> QuantityText.latency(value).replace('-', '−');
            case CORES, PERCENT, MEGAHERTZ, WATTS, CELSIUS ->
                QuantityText.significant(value).replace('-', '−') + suffix;
        };
    }
}
