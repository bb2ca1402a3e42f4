package org.inferometer.workload;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.inferometer.options.Option;
import org.inferometer.workload.trace.JsonRows;

/// Which requests of a trace are replayed, and how fast. Requests that are left out or cut are counted and reported.
///
/// @param speed replay speed; a workload keeps it in its arrivals
/// @param requests maximum number, from the start of the window; a workload keeps it as its count
/// @param maxPrompt 0 for no limit
/// @param maxOutput 0 for no limit
/// @param maxTotal prompt plus output; 0 for no limit; longer requests are always left out
/// @param rows how rows of JSON lines are read
public record TraceOptions(
        @JsonProperty("speed") @Option(name = "speed", standard = "1", min = 0.001, max = 100_000,
                help = "Replay speed; 2 is twice as fast as recorded.") double speed,
        @JsonProperty("requests") @Option(name = "requests", standard = "0", max = 10_000_000, unit = "requests",
                help = "Maximum number of requests.", zero = "all") int requests,
        @JsonProperty("fromSeconds") @Option(name = "from", standard = "0", max = 1e9, unit = "s",
                help = "Start of the window, after the first request of the file.") double fromSeconds,
        @JsonProperty("toSeconds") @Option(name = "to", standard = "0", max = 1e9, unit = "s",
                help = "End of the window (exclusive).", zero = "the end of the file") double toSeconds,
        @JsonProperty("maxPrompt") @Option(name = "max_prompt", standard = "0", max = 100_000_000, unit = "tokens",
                help = "Maximum prompt length.", zero = "no limit") int maxPrompt,
        @JsonProperty("maxOutput") @Option(name = "max_output", standard = "0", max = 100_000_000, unit = "tokens",
                help = "Maximum output length.", zero = "no limit") int maxOutput,
        @JsonProperty("tooLong") @Option(name = "too_long", standard = "clip",
                help = "Requests over a limit: cut to it (clip) or left out (leave_out).") TooLong tooLong,
        @JsonProperty("maxTotal") @Option(name = "max_total", standard = "0", max = 100_000_000, unit = "tokens",
                help = "Maximum prompt plus output; longer requests are left out.", zero = "no limit") int maxTotal,
        @JsonProperty("minTokens") @Option(name = "min_tokens", standard = "1", min = 1, max = 100_000_000,
                unit = "tokens",
                help = "Minimum prompt and output length; shorter requests are left out.") int minTokens,
        @JsonProperty("model") @Option(name = "model", standard = "all",
                help = "BurstGPT files only: requests to one model.") Model model,
        @JsonProperty("rows") JsonRows rows) {
    /// Records of older versions have no rows.
    public TraceOptions {
        rows = rows == null ? JsonRows.STANDARD : rows;
    }

    /// Handling of prompts and outputs over their limit.
    public enum TooLong {
        /// Cut to the limit; prompts keep their start.
        @JsonProperty("CLIP")
        CLIP,
        /// Left out.
        @JsonProperty("LEAVE_OUT")
        LEAVE_OUT
    }

    /// Model of the selected requests.
    public enum Model {
        /// Any model.
        @JsonProperty("ALL")
        ALL,
        /// GPT-4.
        @JsonProperty("GPT4")
        GPT4,
        /// ChatGPT.
        @JsonProperty("CHATGPT")
        CHATGPT;

        boolean takes(String name) {
            return switch (this) {
                case ALL -> true;
                case GPT4 -> name.equalsIgnoreCase("GPT-4");
                case CHATGPT -> name.equalsIgnoreCase("ChatGPT");
            };
        }
    }

    /// A copy without the settings that a workload keeps itself.
    TraceOptions withoutLoad() {
        return new TraceOptions(1, 0, fromSeconds, toSeconds, maxPrompt, maxOutput, tooLong, maxTotal, minTokens, model,
                rows);
    }

    /// A copy that leaves out nothing because of its length.
    TraceOptions everyText() {
        return new TraceOptions(speed, requests, fromSeconds, toSeconds, maxPrompt, maxOutput, TooLong.CLIP, 0, 1,
                model, rows);
    }
}
