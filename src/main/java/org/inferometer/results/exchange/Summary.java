package org.inferometer.results.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import org.inferometer.measurement.MetricFamily;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.statistics.Distribution;
import org.inferometer.record.Figure;
import org.inferometer.record.Metric;

/// Collects the figures of a file, each under our metric of the same meaning.
final class Summary {
    static final double MS = 1e6;
    static final double SECONDS = 1e9;
    /// Families with a value for each gap: requests are fewer.
    private static final Set<MetricFamily> OF_GAPS = Set.of(Metrics.ITL, Metrics.INTER_CHUNK);
    private final List<Figure> figures = new ArrayList<>();
    private final List<String> placeholders = new ArrayList<>();
    private final long n;

    /// A field of a file and its metric.
    ///
    /// @param unit the file's unit in that of the metric
    record FigureField(String name, Metric metric, double unit) {
        /// The rates and counts that vLLM and SGLang write under the same names.
        ///
        /// @param total the name of total throughput
        static List<FigureField> ofServing(String total) {
            return List.of(new FigureField("request_throughput", Metrics.REQUEST_THROUGHPUT, 1),
                    new FigureField("output_throughput", Metrics.OUTPUT_THROUGHPUT, 1),
                    new FigureField(total, Metrics.TOTAL_THROUGHPUT, 1),
                    new FigureField("duration", Metrics.WINDOW, SECONDS),
                    new FigureField("total_output_tokens", Metrics.OUTPUT_TOKENS, 1),
                    new FigureField("total_input_tokens", Metrics.PROMPT_TOKENS, 1),
                    new FigureField("completed", Metrics.REQUESTS_OK, 1),
                    new FigureField("failed", Metrics.REQUESTS_FAILED, 1));
        }
    }

    /// @param n requests behind the figures; 0 if the file does not give it
    Summary(long n) {
        this.n = n;
    }

    /// Adds a value if present and no placeholder.
    Summary add(Metric metric, OptionalDouble value, double scale) {
        add(metric, value, scale, true);
        return this;
    }

    /// Tools write a latency of exactly 0, or any figure of −1, where they have none.
    private void add(Metric metric, OptionalDouble value, double scale, boolean enough) {
        if (value.isPresent() && (value.getAsDouble() < 0
                || (value.getAsDouble() == 0 && metric.unit() == Metric.Unit.NANOSECONDS))) {
            placeholders.add(metric.label());
        } else if (value.isPresent()) {
            figures.add(new Figure(metric, value.getAsDouble() * scale, n, enough));
        }
    }

    /// What was left out; empty for nothing.
    Optional<String> note() {
        return placeholders.isEmpty() ? Optional.empty()
                : Optional.of("The file has placeholders, such as 0 or −1, for " + String.join(", ", placeholders)
                        + ": they are left out.");
    }

    /// Adds mean and percentiles.
    ///
    /// @param field the value of "mean", "median", "p99", ..., in units of `scale`
    Summary family(MetricFamily family, Function<String, OptionalDouble> field, double scale) {
        add(family.mean(), field.apply("mean"), scale);
        for (int percent : family.percentiles()) {
            OptionalDouble value = field.apply("p" + percent);
            OptionalDouble found = value.isEmpty() && percent == 50 ? field.apply("median") : value;
            add(family.percentile(percent), found, scale,
                    n == 0 || OF_GAPS.contains(family) || Distribution.enough(n, percent));
        }
        return this;
    }

    /// Adds the numbers of fields.
    ///
    /// @param number of a name
    Summary add(List<FigureField> fields, Function<String, OptionalDouble> number) {
        fields.forEach(field -> add(field.metric, number.apply(field.name), field.unit));
        return this;
    }

    List<Figure> figures() {
        return List.copyOf(figures);
    }
}
