package org.inferometer.measurement.definitions;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.definitions.Rule.ClockStart;
import org.inferometer.measurement.definitions.Rule.Failures;
import org.inferometer.measurement.definitions.Rule.Gaps;
import org.inferometer.measurement.definitions.Rule.Goodput;
import org.inferometer.measurement.definitions.Rule.Quantile;
import org.inferometer.measurement.definitions.Rule.RequestEnd;
import org.inferometer.measurement.definitions.Rule.Spread;
import org.inferometer.measurement.definitions.Rule.TokenTime;
import org.inferometer.measurement.definitions.Rule.Window;

/// The rules of a benchmark tool, from its source; `docs/metrics.md` lists them.
public enum Definition {
    INFEROMETER("Inferometer",
            new Rules(ClockStart.INTENDED, RequestEnd.LAST_TOKEN, TokenTime.AFTER_FIRST_EVENT, Gaps.EVERY_TOKEN,
                    Quantile.LINEAR, Spread.SAMPLE, Window.FULL_LOAD, Failures.TOKENS_COUNT, Goodput.ONE_TOKEN_MEETS),
            names("TTFT", "TPOT", "ITL", "E2E latency"), List.of()),
    VLLM("vLLM",
            new Rules(ClockStart.SENT, RequestEnd.LAST_TOKEN, TokenTime.AFTER_FIRST, Gaps.EVERY_CHUNK, Quantile.LINEAR,
                    Spread.POPULATION, Window.SENT_TO_LAST_END, Failures.TOKENS_DROPPED, Goodput.ONE_TOKEN_MEETS),
            names("ttft_ms", "tpot_ms", "itl_ms", "e2el_ms"),
            List.of("vLLM counts an empty first chunk as the first token. Records hold chunks with output only: vLLM's TTFT may be lower.")),
    SGLANG("SGLang",
            new Rules(ClockStart.SENT, RequestEnd.STREAM_END, TokenTime.AFTER_FIRST, Gaps.SPLIT_CHUNKS, Quantile.LINEAR,
                    Spread.POPULATION, Window.SENT_TO_LAST_END, Failures.TOKENS_DROPPED, Goodput.NONE),
            names("ttft_ms", "tpot_ms", "itl_ms", "e2e_latency_ms"),
            List.of("SGLang uses the requested output length if the server sends no count, and queries the server before it stops the clock."
                    + " A record does not show either. Events without a count of their own have one undivided gap, as in its OpenAI client.")),
    AIPERF("AIPerf",
            new Rules(ClockStart.SENT, RequestEnd.LAST_TOKEN, TokenTime.NONE, Gaps.PER_REQUEST, Quantile.LINEAR,
                    Spread.POPULATION, Window.VALID_ONLY, Failures.TOKENS_DROPPED, Goodput.MISSING_FAILS),
            names("time_to_first_token", "", "inter_token_latency", "request_latency"),
            List.of("AIPerf timestamps the first byte of the first message and counts tokens with its own tokenizer. Records hold our timestamp"
                    + " and count.")),
    GUIDELLM("GuideLLM",
            new Rules(ClockStart.SENT, RequestEnd.STREAM_END, TokenTime.WITH_FIRST, Gaps.PER_REQUEST_WEIGHTED,
                    Quantile.NEAREST_RANK, Spread.POPULATION, Window.SENT_TO_LAST_END, Failures.TOKENS_DROPPED,
                    Goodput.NONE),
            names("time_to_first_token_ms", "time_per_output_token_ms", "inter_token_latency_ms", "request_latency"),
            List.of("GuideLLM cuts warm-up and cool-down from its window. Rates here are means over the whole measured phase.")),
    LOADGEN("LoadGen",
            new Rules(ClockStart.INTENDED, RequestEnd.LAST_TOKEN, TokenTime.AFTER_FIRST, Gaps.NONE, Quantile.TRUNCATED,
                    Spread.NONE, Window.ONE_LESS, Failures.TOKENS_DROPPED, Goodput.NONE),
            names("First Token latency", "Time per Output Token", "", "latency"),
            List.of("These are the rules of LoadGen's Server scenario, without its early-stopping estimate and its verdict.")),
    TRTLLM_BENCH("trtllm-bench",
            new Rules(ClockStart.SENT, RequestEnd.STREAM_END, TokenTime.AFTER_FIRST_OR_ZERO, Gaps.NONE,
                    Quantile.TRUNCATED, Spread.NONE, Window.SENT_TO_LAST_END, Failures.RAISES, Goodput.NONE),
            names("ttft", "tpot", "", "request_latency"), List.of());

    private final String label;
    private final Rules rules;
    private final Map<String, String> names;
    private final List<String> caveats;

    Definition(String label, Rules rules, Map<String, String> names, List<String> caveats) {
        this.label = label;
        this.rules = rules;
        this.names = names;
        this.caveats = caveats;
    }

    private static Map<String, String> names(String ttft, String tpot, String itl, String endToEnd) {
        return Map.of(Metrics.TTFT.id(), ttft, Metrics.TPOT.id(), tpot, Metrics.ITL.id(), itl, Metrics.E2E.id(),
                endToEnd);
    }

    /// The name of the tool.
    public String label() {
        return label;
    }

    /// The id on a command line: "trtllm-bench".
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// Its rules.
    public Rules rules() {
        return rules;
    }

    /// The tool's name of a latency ("ttft", "tpot", "itl", "e2e"); empty if it has none.
    public String nameOf(String family) {
        return names.getOrDefault(family, "");
    }

    /// Rules of the tool that a record does not show, in sentences.
    public List<String> caveats() {
        return caveats;
    }
}
