package org.inferometer.measurement.definitions;

/// One decision that a definition takes. The words go behind the name of a tool: "starts the clock when a request is sent".
public sealed interface Rule {
    /// What the tool does, as a verb phrase without full stop.
    String words();

    /// Where latencies begin.
    enum ClockStart implements Rule {
        INTENDED("starts the clock when a request was to be sent"),
        SENT("starts the clock when a request is sent, so that waiting inside the load generator is not seen");

        private final String words;

        ClockStart(String words) {
            this.words = words;
        }

        @Override
        public String words() {
            return words;
        }
    }

    /// Where a request's end-to-end latency ends.
    enum RequestEnd implements Rule {
        LAST_TOKEN("ends a request at its last token"),
        STREAM_END("ends a request when its stream is over, trailing usage and closing included");

        private final String words;

        RequestEnd(String words) {
            this.words = words;
        }

        @Override
        public String words() {
            return words;
        }
    }

    /// What TPOT is.
    enum TokenTime implements Rule {
        AFTER_FIRST("divides the time after the first token by n − 1, for requests of two tokens or more"),
        AFTER_FIRST_OR_ZERO("divides the time after the first token by n − 1 and takes 0 for a request of one token"),
        WITH_FIRST(
                "divides the time from the start of the request by n, so that the first token's wait is in it, and weights requests by n"),
        NONE("has no figure of this name per request: its inter-token latency is what others call TPOT");

        private final String words;

        TokenTime(String words) {
            this.words = words;
        }

        @Override
        public String words() {
            return words;
        }
    }

    /// What ITL is.
    enum Gaps implements Rule {
        EVERY_TOKEN("pools every gap between consecutive tokens"),
        EVERY_CHUNK("pools the gaps between chunks, so that tokens that arrive together are one"),
        SPLIT_CHUNKS("splits the gap before a chunk evenly over the chunk's tokens"),
        PER_REQUEST("takes one average a request, (end − first token) / (n − 1), so that stalls are smoothed away"),
        PER_REQUEST_WEIGHTED(
                "takes one average a request, (last − first token) / (n − 1), weighted by n − 1, so that stalls are smoothed away"),
        NONE("has no figure of the gaps between tokens");

        private final String words;

        Gaps(String words) {
            this.words = words;
        }

        @Override
        public String words() {
            return words;
        }
    }

    /// How percentiles are taken from sorted values.
    enum Quantile implements Rule {
        LINEAR("interpolates percentiles linearly between ranks"),
        NEAREST_RANK("takes the first value whose cumulative weight reaches the percentile"),
        TRUNCATED("takes the value at index ⌊n·p⌋ as the percentile");

        private final String words;

        Quantile(String words) {
            this.words = words;
        }

        @Override
        public String words() {
            return words;
        }
    }

    /// Which standard deviation is given.
    enum Spread implements Rule {
        SAMPLE("divides by n − 1 in the standard deviation"), POPULATION("divides by n in the standard deviation"),
        NONE("gives no standard deviation");

        private final String words;

        Spread(String words) {
            this.words = words;
        }

        @Override
        public String words() {
            return words;
        }
    }

    /// The stretch that rates are taken over.
    enum Window implements Rule {
        INTENDED_TO_LAST_TOKEN("takes rates from the first intended instant to the last token"),
        SENT_TO_LAST_END("takes rates from the first sending to the end of the last request, failed ones included"),
        VALID_ONLY("takes rates from the start of the first ok request to the end of the last ok one"),
        ONE_LESS("takes rates to the last completion, and counts one request less than it finished");

        private final String words;

        Window(String words) {
            this.words = words;
        }

        @Override
        public String words() {
            return words;
        }
    }

    /// What becomes of requests that failed.
    enum Failures implements Rule {
        TOKENS_COUNT("counts the tokens that failed requests delivered"),
        TOKENS_DROPPED("drops the tokens of failed requests"),
        RAISES("gives up when a request fails, so that there is no figure");

        private final String words;

        Failures(String words) {
            this.words = words;
        }

        @Override
        public String words() {
            return words;
        }
    }

    /// What meets a service-level objective.
    enum Goodput implements Rule {
        ONE_TOKEN_MEETS("lets a request of one token meet any limit on the time per token"),
        MISSING_FAILS(
                "takes a request that lacks a limited figure, such as the time per token of a single token, as not good"),
        NONE("has no goodput");

        private final String words;

        Goodput(String words) {
            this.words = words;
        }

        @Override
        public String words() {
            return words;
        }
    }
}
