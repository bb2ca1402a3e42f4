package org.inferometer.results.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.inferometer.measurement.MetricFamily;
import org.inferometer.record.Figure;
import org.inferometer.record.Metric;

/// Collects the figures that a file gives, each under the metric of ours that means the same.
final class Summary {
    static final double MS = 1e6;
    static final double SECONDS = 1e9;
    private final List<Figure> figures = new ArrayList<>();
    private final long n;

    /// @param n how many requests they rest on, as far as the file tells
    Summary(long n) {
        this.n = n;
    }

    /// Adds a value, if there is one.
    Summary add(Metric metric, OptionalDouble value, double scale) {
        if (value.isPresent() && value.getAsDouble() >= 0) {
            figures.add(new Figure(metric, value.getAsDouble() * scale, n, true));
        }
        return this;
    }

    /// Adds mean and percentiles from fields whose names a function of "mean" or "p99" gives.
    Summary family(MetricFamily family, Function<String, OptionalDouble> field, double scale) {
        add(family.mean(), field.apply("mean"), scale);
        for (int percent : family.percentiles()) {
            OptionalDouble value = field.apply("p" + percent);
            add(family.percentile(percent), value.isEmpty() && percent == 50 ? field.apply("median") : value, scale);
        }
        return this;
    }

    List<Figure> figures() {
        return List.copyOf(figures);
    }
}
