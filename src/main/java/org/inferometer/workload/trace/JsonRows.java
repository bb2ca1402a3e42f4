package org.inferometer.workload.trace;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.inferometer.options.Option;

/// What the rows of a JSON-lines trace leave unsaid.
///
/// @param unit of "timestamp" and "delay"
/// @param blockTokens tokens of one id in "hash_ids"; 0 for those of the format
/// @param outputTokens output length of rows without one; 0 to refuse such rows
/// @param sessions whether rows of one session are turns of a conversation; else its later rows are refused
public record JsonRows(@JsonProperty("unit") @Option(name = "unit", standard = "auto",
        help = "JSON lines only: unit of timestamps; auto knows Bailian (s) and whole numbers (ms).") TimestampUnit unit,
        @JsonProperty("blockTokens") @Option(name = "block_size", standard = "0", max = 1 << 20, unit = "tokens",
                help = "JSON lines only: tokens of an id in hash_ids.",
                zero = "16 in Bailian and 512 in other traces") int blockTokens,
        @JsonProperty("outputTokens") @Option(name = "output", standard = "0", max = 100_000_000, unit = "tokens",
                help = "JSON lines only: output length of rows without output_length.",
                zero = "a refusal of such rows") int outputTokens,
        @JsonProperty("sessions") @Option(name = "sessions", standard = "false",
                help = "JSON lines only: rows of one session_id are turns, each sent its delay after the turn before.") boolean sessions) {
    /// Everything as the format has it.
    public static final JsonRows STANDARD = new JsonRows(TimestampUnit.AUTO, 0, 0, false);

    /// The unit of timestamps.
    public enum TimestampUnit {
        /// Seconds in Bailian traces; else milliseconds if the numbers are whole.
        @JsonProperty("AUTO")
        AUTO,
        /// Seconds.
        @JsonProperty("S")
        S,
        /// Milliseconds.
        @JsonProperty("MS")
        MS
    }
}
