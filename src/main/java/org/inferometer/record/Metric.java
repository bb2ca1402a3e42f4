package org.inferometer.record;

import com.fasterxml.jackson.annotation.JsonProperty;

/// The identity of a figure: name, unit and better direction.
///
/// @param id stable name in files: "ttft_p50"
/// @param label name for people: "TTFT P50"
/// @param definition the formula, in the words of docs/metrics.md
public record Metric(@JsonProperty("id") String id, @JsonProperty("label") String label,
        @JsonProperty("unit") Unit unit, @JsonProperty("better") Better better,
        @JsonProperty("definition") String definition) {
    /// The unit that a figure's raw value is in.
    public enum Unit {
        @JsonProperty("NANOSECONDS")
        NANOSECONDS, @JsonProperty("PER_SECOND_REQUESTS")
        PER_SECOND_REQUESTS, @JsonProperty("PER_SECOND_TOKENS")
        PER_SECOND_TOKENS, @JsonProperty("FRACTION")
        FRACTION, @JsonProperty("BYTES")
        BYTES, @JsonProperty("COUNT")
        COUNT, @JsonProperty("JOULES_PER_TOKEN")
        JOULES_PER_TOKEN, @JsonProperty("WATTS")
        WATTS,
        /// In the currency that the price was given in.
        @JsonProperty("PRICE_PER_MILLION_TOKENS")
        PRICE_PER_MILLION_TOKENS, @JsonProperty("RATIO")
        RATIO
    }

    /// Which direction is better.
    public enum Better {
        @JsonProperty("HIGHER")
        HIGHER, @JsonProperty("LOWER")
        LOWER, @JsonProperty("NEITHER")
        NEITHER
    }
}
