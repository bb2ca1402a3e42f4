package org.inferometer.suite.figures;

import java.util.List;
import org.inferometer.measurement.MetricFamily;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.Metric;
import org.inferometer.units.LetterCase;

/// A figure of TensorRT-LLM's benchmark client, in milliseconds.
///
/// @param statistic as the client writes it: "Mean", "Median" or "P99"
/// @param latency as the client writes it: "TTFT", "TPOT", "ITL" or "E2EL"
record ServingMetric(String statistic, String latency) {
    /// In the order of the client's report.
    static final List<String> LATENCIES = List.of("TTFT", "TPOT", "ITL", "E2EL");
    /// All of them.
    static final List<ServingMetric> ALL = LATENCIES.stream().flatMap(latency -> List.of("Mean", "Median", "P99")
            .stream().map(statistic -> new ServingMetric(statistic, latency))).toList();

    /// The metrics of a type of test.
    ///
    /// @param type "disagg" or "wideep"
    static List<ServingMetric> of(String type) {
        return type.equals("wideep") ? ALL
                : List.of(new ServingMetric("Median", "TTFT"), new ServingMetric("Median", "E2EL"));
    }

    /// The same in a record.
    Metric ours() {
        MetricFamily family = switch (latency) {
            case "TTFT" -> Metrics.TTFT;
            case "TPOT" -> Metrics.TPOT;
            case "ITL" -> Metrics.ITL;
            default -> Metrics.E2E;
        };
        return switch (statistic) {
            case "Mean" -> family.mean();
            case "Median" -> family.p50();
            default -> family.p99();
        };
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
