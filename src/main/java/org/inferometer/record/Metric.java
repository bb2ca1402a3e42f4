package org.inferometer.record;

/// The identity of a figure: what it is called, in which unit it is, and which direction is better.
///
/// @param id stable name in files: "ttft_p50"
/// @param label name for people: "TTFT P50"
/// @param definition the formula, in the words of docs/metrics.md
public record Metric(String id, String label, Unit unit, Better better, String definition) {
    /// The unit that a figure's raw value is in.
    public enum Unit {
        NANOSECONDS, PER_SECOND_REQUESTS, PER_SECOND_TOKENS, FRACTION, BYTES, COUNT, JOULES_PER_TOKEN,
        /// In the currency that the price was given in.
        PRICE_PER_MILLION_TOKENS, RATIO
    }

    /// Which direction is better.
    public enum Better {
        HIGHER, LOWER, NEITHER
    }
}
