package org.inferometer.workload;

import org.inferometer.options.Option;

/// What of a trace is asked, and how fast. Requests that are left out or cut are counted, and the run says how many.
///
/// @param speed how fast the instants of the file pass; where a workload has been made of it, its arrivals say so
/// @param requests at most so many, from the start of the window; where a workload has been made of it, its count says so
/// @param maxPrompt 0 for no limit
/// @param maxOutput 0 for no limit
/// @param maxTotal prompt and output together; 0 for no limit; such requests are always left out
public record TraceOptions(
        @Option(name = "speed", standard = "1", min = 0.001, max = 100_000,
                help = "How many times as fast as recorded.") double speed,
        @Option(name = "requests", standard = "0", max = 10_000_000, unit = "requests",
                help = "At most so many; 0 for all.") int requests,
        @Option(name = "from", standard = "0", max = 1e9, unit = "s",
                help = "Leave out what came earlier after the file's first request.") double fromSeconds,
        @Option(name = "to", standard = "0", max = 1e9, unit = "s",
                help = "Leave out what came at this time or later; 0 for the end of the file.") double toSeconds,
        @Option(name = "max_prompt", standard = "0", max = 100_000_000, unit = "tokens",
                help = "Longest prompt; 0 for any.") int maxPrompt,
        @Option(name = "max_output", standard = "0", max = 100_000_000, unit = "tokens",
                help = "Longest output; 0 for any.") int maxOutput,
        @Option(name = "too_long", standard = "clip",
                help = "Whether longer prompts and outputs are cut to the limit or left out.") TooLong tooLong,
        @Option(name = "max_total", standard = "0", max = 100_000_000, unit = "tokens",
                help = "Leave out requests whose prompt and output are longer together; 0 for any.") int maxTotal,
        @Option(name = "min_tokens", standard = "1", min = 1, max = 100_000_000, unit = "tokens",
                help = "Leave out requests whose prompt or output is shorter.") int minTokens,
        @Option(name = "model", standard = "all",
                help = "Of a BurstGPT file, the requests to which model.") Model model) {
    /// What happens to what is longer than its limit.
    public enum TooLong {
        /// Cut to the limit; prompts keep their beginning.
        CLIP,
        /// Left out.
        LEAVE_OUT
    }

    /// Whose requests are taken.
    public enum Model {
        /// Those of every model.
        ALL,
        /// GPT-4 alone.
        GPT4,
        /// ChatGPT alone.
        CHATGPT;

        boolean takes(String name) {
            return switch (this) {
                case ALL -> true;
                case GPT4 -> name.equalsIgnoreCase("GPT-4");
                case CHATGPT -> name.equalsIgnoreCase("ChatGPT");
            };
        }
    }

    /// The same but for what a workload says itself.
    TraceOptions withoutLoad() {
        return new TraceOptions(1, 0, fromSeconds, toSeconds, maxPrompt, maxOutput, tooLong, maxTotal, minTokens,
                model);
    }

    /// The same limits without leaving anything out for its length.
    TraceOptions everyText() {
        return new TraceOptions(speed, requests, fromSeconds, toSeconds, maxPrompt, maxOutput, TooLong.CLIP, 0, 1,
                model);
    }
}
