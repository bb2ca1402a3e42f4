package org.inferometer.suite.figures;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.Metric;

/// The report that TensorRT-LLM's benchmark client prints, from figures of this program's client; [LogMetrics] reads it.
final class ServingReport {
    private static final int WIDTH = 50;
    private static final List<Map.Entry<String, Metric>> RATES =
            List.of(Map.entry("Request throughput (req/s):", Metrics.REQUEST_THROUGHPUT),
                    Map.entry("Output token throughput (tok/s):", Metrics.OUTPUT_THROUGHPUT),
                    Map.entry("Total Token throughput (tok/s):", Metrics.TOTAL_THROUGHPUT));

    private ServingReport() {}

    static String text(LoadFigures load) {
        StringBuilder text = new StringBuilder();
        title(text, " Serving Benchmark Result ", '=');
        row(text, "Total requests:", String.valueOf(load.ok() + load.failed()));
        row(text, "Successful requests:", String.valueOf(load.ok()));
        row(text, "Total failed requests:", String.valueOf(load.failed()));
        if (!Double.isNaN(load.seconds())) {
            row(text, "Benchmark duration (s):", number(load.seconds()));
        }
        row(text, "Total input tokens:", String.valueOf(load.promptTokens()));
        row(text, "Total generated tokens:", String.valueOf(load.outputTokens()));
        RATES.forEach(rate -> {
            Double value = load.rates().get(rate.getValue());
            if (value != null) {
                row(text, rate.getKey(), number(value));
            }
        });
        for (String latency : List.of("TTFT", "TPOT", "ITL", "E2EL")) {
            title(text, latency, '-');
            ServingMetric.ALL.stream().filter(metric -> metric.latency().equals(latency)).forEach(metric -> {
                Double value = load.latencies().get(metric);
                if (value != null) {
                    row(text, metric.label(), number(value));
                }
            });
        }
        text.append("=".repeat(WIDTH)).append('\n');
        if (load.runs() > 1) {
            text.append("Latencies, rates and duration are means over ").append(load.runs()).append(" runs.\n");
        }
        return text.append("Benchmark with ").append(load.load().text()).append(" done\n").toString();
    }

    private static void title(StringBuilder text, String title, char line) {
        int left = (WIDTH - title.length()) / 2;
        text.append(String.valueOf(line).repeat(left)).append(title)
                .append(String.valueOf(line).repeat(WIDTH - title.length() - left)).append('\n');
    }

    private static void row(StringBuilder text, String label, String value) {
        text.append("%-40s %s\n".formatted(label, value));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
