package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.measurement.statistics.CensoredDistribution;
import org.inferometer.measurement.statistics.Distribution;
import org.inferometer.record.Figure;
import org.inferometer.record.Metric;
import org.inferometer.record.Metric.Better;
import org.inferometer.record.Metric.Unit;

/// A quantity with one value per request, gap or step, shown as mean and percentiles; each of those is a [Metric] of its own.
///
/// @param id prefix of the metrics' ids: "ttft" gives "ttft_mean", "ttft_p50", ...
/// @param definition of one value
public record MetricFamily(String id, String label, Unit unit, Better better, String definition) {
    private static final List<Integer> UPPER_TAIL = List.of(50, 90, 95, 99);
    private static final List<Integer> LOWER_TAIL = List.of(50, 10, 5, 1);

    /// The percentiles shown: towards the bad end, so those of a quantity where higher is better are low.
    public List<Integer> percentiles() {
        return better == Better.HIGHER ? LOWER_TAIL : UPPER_TAIL;
    }

    /// The mean over all values.
    public Metric mean() {
        return new Metric(id + "_mean", label + " mean", unit, better, "mean of " + definition);
    }

    /// One of [#percentiles()].
    public Metric percentile(int percent) {
        return new Metric(id + "_p" + percent, label + " P" + percent, unit, better,
                "P" + percent + " of " + definition);
    }

    /// The median.
    public Metric p50() {
        return percentile(50);
    }

    /// The 95th percentile.
    public Metric p95() {
        return percentile(95);
    }

    /// The 99th percentile.
    public Metric p99() {
        return percentile(99);
    }

    /// The mean and every percentile.
    public List<Metric> metrics() {
        return Stream.concat(Stream.of(mean()), percentiles().stream().map(this::percentile)).toList();
    }

    /// The figures of a distribution of which some values are only known to be at least so large, as far as they are known.
    List<Figure> figures(CensoredDistribution distribution) {
        List<Figure> figures = new ArrayList<>();
        int n = distribution.n();
        distribution.mean().ifPresent(value -> figures.add(new Figure(mean(), value, n, true)));
        for (int percent : percentiles()) {
            distribution.percentile(percent).ifPresent(
                    value -> figures.add(new Figure(percentile(percent), value, n, distribution.enough(percent))));
        }
        return figures;
    }

    /// The figures of a distribution; none without samples.
    List<Figure> figures(Distribution distribution) {
        if (distribution.isEmpty()) {
            return List.of();
        }
        int n = distribution.n();
        return Stream.concat(Stream.of(new Figure(mean(), distribution.mean(), n, true)),
                percentiles().stream().map(percent -> new Figure(percentile(percent), distribution.percentile(percent),
                        n, Distribution.enough(n, percent))))
                .toList();
    }
}
