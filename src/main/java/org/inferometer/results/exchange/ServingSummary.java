package org.inferometer.results.exchange;

import org.inferometer.measurement.Metrics;

/// The rates and counts that vLLM and SGLang write under the same names.
final class ServingSummary {
    private ServingSummary() {}

    /// @param total what the throughput of all tokens is called
    static void rates(Summary summary, Fields run, String total) {
        summary.add(Metrics.REQUEST_THROUGHPUT, run.number("request_throughput"), 1)
                .add(Metrics.OUTPUT_THROUGHPUT, run.number("output_throughput"), 1)
                .add(Metrics.TOTAL_THROUGHPUT, run.number(total), 1)
                .add(Metrics.WINDOW, run.number("duration"), Summary.SECONDS)
                .add(Metrics.OUTPUT_TOKENS, run.number("total_output_tokens"), 1)
                .add(Metrics.PROMPT_TOKENS, run.number("total_input_tokens"), 1)
                .add(Metrics.REQUESTS_OK, run.number("completed"), 1)
                .add(Metrics.REQUESTS_FAILED, run.number("failed"), 1);
    }
}
