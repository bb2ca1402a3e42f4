package org.inferometer.results.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import org.inferometer.measurement.Distribution;
import org.inferometer.measurement.MetricFamily;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.Figure;
import org.inferometer.record.Metric;

/// Collects the figures of a file, each under our metric of the same meaning.
final class Summary {
    static final double MS = 1e6;
    static final double SECONDS = 1e9;
    /// Families with a value for each gap: requests are fewer.
    private static final Set<MetricFamily> OF_GAPS = Set.of(Metrics.ITL, Metrics.INTER_CHUNK);
    private final List<Figure> figures = new ArrayList<>();
    private final long n;

    /// @param n requests behind the figures; 0 if the file does not give it
    Summary(long n) {
        this.n = n;
    }

    /// Adds a value if present and not negative.
    Summary add(Metric metric, OptionalDouble value, double scale) {
        if (value.isPresent() && value.getAsDouble() >= 0) {
            figures.add(new Figure(metric, value.getAsDouble() * scale, n, true));
        }
        return this;
    }

    /// Adds mean and percentiles.
    ///
    /// @param field the value of "mean", "median", "p99", ..., in units of `scale`
    Summary family(MetricFamily family, Function<String, OptionalDouble> field, double scale) {
        add(family.mean(), field.apply("mean"), scale);
        for (int percent : family.percentiles()) {
            OptionalDouble value = field.apply("p" + percent);
            OptionalDouble found = value.isEmpty() && percent == 50 ? field.apply("median") : value;
            if (found.isPresent() && found.getAsDouble() >= 0) {
                figures.add(new Figure(family.percentile(percent), found.getAsDouble() * scale, n,
                        n == 0 || OF_GAPS.contains(family) || Distribution.enough(n, percent)));
            }
        }
        return this;
    }

    /// Adds the rates and counts that vLLM and SGLang write under the same names.
    ///
    /// @param total the name of total throughput
    Summary servingRates(ForeignFields run, String total) {
        return add(Metrics.REQUEST_THROUGHPUT, run.number("request_throughput"), 1)
                .add(Metrics.OUTPUT_THROUGHPUT, run.number("output_throughput"), 1)
                .add(Metrics.TOTAL_THROUGHPUT, run.number(total), 1)
                .add(Metrics.WINDOW, run.number("duration"), SECONDS)
                .add(Metrics.OUTPUT_TOKENS, run.number("total_output_tokens"), 1)
                .add(Metrics.PROMPT_TOKENS, run.number("total_input_tokens"), 1)
                .add(Metrics.REQUESTS_OK, run.number("completed"), 1)
                .add(Metrics.REQUESTS_FAILED, run.number("failed"), 1);
    }

    List<Figure> figures() {
        return List.copyOf(figures);
    }
}
