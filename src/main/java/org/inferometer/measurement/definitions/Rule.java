package org.inferometer.measurement.definitions;

/// One decision of a definition.
public sealed interface Rule {
    /// Where latencies begin.
    enum ClockStart implements Rule {
        INTENDED, SENT
    }

    /// Where the E2E latency of a request ends.
    enum RequestEnd implements Rule {
        LAST_TOKEN, STREAM_END
    }

    /// How TPOT is computed.
    enum TokenTime implements Rule {
        AFTER_FIRST_EVENT, AFTER_FIRST, AFTER_FIRST_OR_ZERO, WITH_FIRST, NONE
    }

    /// How ITL is computed.
    enum Gaps implements Rule {
        EVERY_TOKEN, EVERY_CHUNK, SPLIT_CHUNKS, PER_REQUEST, PER_REQUEST_WEIGHTED, NONE
    }

    /// How percentiles are taken from sorted values.
    enum Quantile implements Rule {
        LINEAR, NEAREST_RANK, TRUNCATED
    }

    /// Which standard deviation is given.
    enum Spread implements Rule {
        SAMPLE, POPULATION, NONE
    }

    /// The window of rates.
    enum Window implements Rule {
        FULL_LOAD, SENT_TO_LAST_END, VALID_ONLY, ONE_LESS
    }

    /// How failed requests count.
    enum Failures implements Rule {
        TOKENS_COUNT, TOKENS_DROPPED, RAISES
    }

    /// What meets an SLO.
    enum Goodput implements Rule {
        ONE_TOKEN_MEETS, MISSING_FAILS, NONE
    }

    /// The rule as a verb phrase behind the name of a tool: "starts the clock when a request is sent".
    default String text() {
        return switch (this) {
            case ClockStart.INTENDED -> "starts the clock at the intended send time";
            case ClockStart.SENT ->
                "starts the clock when a request is sent, without time queued in the load generator";
            case RequestEnd.LAST_TOKEN -> "ends a request at its last token";
            case RequestEnd.STREAM_END -> "ends a request at the end of its stream, including usage and closing";
            case TokenTime.AFTER_FIRST_EVENT ->
                "computes TPOT as time after the first event / (n − k), k being its tokens, for n > k";
            case TokenTime.AFTER_FIRST -> "computes TPOT as time after the first token / (n − 1), for n > 1 tokens";
            case TokenTime.AFTER_FIRST_OR_ZERO ->
                "computes TPOT as time after the first token / (n − 1), and 0 for n = 1";
            case TokenTime.WITH_FIRST -> "computes TPOT as time from the start of the request / n, weighted by n";
            case TokenTime.NONE -> "has no TPOT: its inter-token latency is TPOT";
            case Gaps.EVERY_TOKEN ->
                "pools every gap between consecutive tokens, if every event holds one and comes by itself";
            case Gaps.EVERY_CHUNK -> "pools the gaps between chunks";
            case Gaps.SPLIT_CHUNKS -> "divides the gap before a chunk by the tokens of the chunk";
            case Gaps.PER_REQUEST -> "takes one mean per request, (end − first token) / (n − 1)";
            case Gaps.PER_REQUEST_WEIGHTED ->
                "takes one mean per request, (last − first token) / (n − 1), weighted by n − 1";
            case Gaps.NONE -> "has no ITL";
            case Quantile.LINEAR -> "interpolates percentiles linearly between ranks";
            case Quantile.NEAREST_RANK -> "takes the first value whose cumulative weight reaches the percentile";
            case Quantile.TRUNCATED -> "takes the value at index ⌊n·p⌋ as the percentile";
            case Spread.SAMPLE -> "divides by n − 1 in the standard deviation";
            case Spread.POPULATION -> "divides by n in the standard deviation";
            case Spread.NONE -> "has no standard deviation";
            case Window.FULL_LOAD -> "takes rates while the load was offered in full, without filling and draining";
            case Window.SENT_TO_LAST_END ->
                "takes rates from the first sending to the end of the last request, failed ones included";
            case Window.VALID_ONLY ->
                "takes rates from the start of the first to the end of the last successful request";
            case Window.ONE_LESS -> "takes rates to the end of the last issued request and counts one request less";
            case Failures.TOKENS_COUNT -> "counts the tokens of failed requests";
            case Failures.TOKENS_DROPPED -> "drops the tokens of failed requests";
            case Failures.RAISES -> "stops at a failed request, without figures";
            case Goodput.ONE_TOKEN_MEETS -> "lets a request of one token meet any TPOT limit";
            case Goodput.MISSING_FAILS ->
                "counts a request without a limited figure, such as TPOT of one token, as a miss";
            case Goodput.NONE -> "has no goodput";
        };
    }
}
