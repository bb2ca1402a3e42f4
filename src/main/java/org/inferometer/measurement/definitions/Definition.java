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

/// Whose rules a record is read under. The rules are those of the tools' sources, as `docs/metrics.md` lists them.
public enum Definition {
    INFEROMETER("Inferometer",
            new Rules(ClockStart.INTENDED, RequestEnd.LAST_TOKEN, TokenTime.AFTER_FIRST, Gaps.EVERY_TOKEN,
                    Quantile.LINEAR, Spread.SAMPLE, Window.INTENDED_TO_LAST_TOKEN, Failures.TOKENS_COUNT,
                    Goodput.ONE_TOKEN_MEETS),
            names("TTFT", "TPOT", "ITL", "E2E latency"), List.of()),
    VLLM("vLLM",
            new Rules(ClockStart.SENT, RequestEnd.LAST_TOKEN, TokenTime.AFTER_FIRST, Gaps.EVERY_CHUNK, Quantile.LINEAR,
                    Spread.POPULATION, Window.SENT_TO_LAST_END, Failures.TOKENS_DROPPED, Goodput.ONE_TOKEN_MEETS),
            names("ttft_ms", "tpot_ms", "itl_ms", "e2el_ms"),
            List.of("vLLM takes an empty first chunk that only names the role for the first token; records keep chunks with output, so its TTFT"
                    + " may be earlier than this.")),
    SGLANG("SGLang",
            new Rules(ClockStart.SENT, RequestEnd.STREAM_END, TokenTime.AFTER_FIRST, Gaps.SPLIT_CHUNKS, Quantile.LINEAR,
                    Spread.POPULATION, Window.SENT_TO_LAST_END, Failures.TOKENS_DROPPED, Goodput.NONE),
            names("ttft_ms", "tpot_ms", "itl_ms", "e2e_latency_ms"),
            List.of("SGLang takes the asked output length where a server counts no tokens, and asks the server for its state before it stops the"
                    + " clock; neither can be seen in a record.")),
    AIPERF("AIPerf",
            new Rules(ClockStart.SENT, RequestEnd.LAST_TOKEN, TokenTime.NONE, Gaps.PER_REQUEST, Quantile.LINEAR,
                    Spread.POPULATION, Window.VALID_ONLY, Failures.TOKENS_DROPPED, Goodput.MISSING_FAILS),
            names("time_to_first_token", "", "inter_token_latency", "request_latency"),
            List.of("AIPerf stamps the first token at the first byte of its message and counts tokens with its own tokenizer; a record holds the"
                    + " instant and the count of its own run.")),
    GUIDELLM("GuideLLM",
            new Rules(ClockStart.SENT, RequestEnd.STREAM_END, TokenTime.WITH_FIRST, Gaps.PER_REQUEST_WEIGHTED,
                    Quantile.NEAREST_RANK, Spread.POPULATION, Window.SENT_TO_LAST_END, Failures.TOKENS_DROPPED,
                    Goodput.NONE),
            names("time_to_first_token_ms", "time_per_output_token_ms", "inter_token_latency_ms", "request_latency"),
            List.of("GuideLLM reads the wall clock, which can jump, and cuts warm-up and cool-down off its window; rates here are the time-weighted"
                    + " means over the whole measured phase.")),
    LOADGEN("LoadGen",
            new Rules(ClockStart.INTENDED, RequestEnd.LAST_TOKEN, TokenTime.AFTER_FIRST, Gaps.NONE, Quantile.TRUNCATED,
                    Spread.NONE, Window.ONE_LESS, Failures.TOKENS_DROPPED, Goodput.NONE),
            names("First Token latency", "Time per Output Token", "", "latency"),
            List.of("These are the rules of LoadGen's Server scenario; its early-stopping estimate of a percentile and its own verdict are not"
                    + " worked out.")),
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

    /// The tool's name as people write it.
    public String label() {
        return label;
    }

    /// The word on a command line: "trtllm-bench".
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// Its decisions.
    public Rules rules() {
        return rules;
    }

    /// What the tool calls the latency with this id of ours ("ttft", "tpot", "itl", "e2e"); empty where it has none.
    public String nameOf(String family) {
        return names.getOrDefault(family, "");
    }

    /// What of the tool's rules a record cannot show, in whole sentences.
    public List<String> caveats() {
        return caveats;
    }
}
