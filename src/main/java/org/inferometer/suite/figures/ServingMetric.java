package org.inferometer.suite.figures;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.units.LetterCase;

/// A figure of TensorRT-LLM's benchmark client, in milliseconds.
///
/// @param statistic as the client writes it: "Mean", "Median" or "P99"
/// @param latency as the client writes it: "TTFT", "TPOT", "ITL" or "E2EL"
record ServingMetric(String statistic, String latency) {
    private static final List<String> STATISTICS = List.of("Mean", "Median", "P99");
    private static final List<String> LATENCIES = List.of("TTFT", "TPOT", "ITL", "E2EL");

    /// All of them.
    static final List<ServingMetric> ALL = all();

    private static List<ServingMetric> all() {
        List<ServingMetric> all = new ArrayList<>();
        for (String latency : LATENCIES) {
            STATISTICS.forEach(statistic -> all.add(new ServingMetric(statistic, latency)));
        }
        return List.copyOf(all);
    }

    /// The metrics of a type of test.
    ///
    /// @param type "disagg" or "wideep"
    static List<ServingMetric> of(String type) {
        return type.equals("wideep") ? ALL
                : List.of(new ServingMetric("Median", "TTFT"), new ServingMetric("Median", "E2EL"));
    }

    /// The name in the framework's files: "SERVER_MEDIAN_TTFT".
    String name() {
        return "SERVER_" + LetterCase.upper(statistic) + "_" + latency;
    }

    /// The words before its value in the client's report: "Median TTFT (ms):".
    String label() {
        return statistic + " " + latency + " (ms):";
    }
}
