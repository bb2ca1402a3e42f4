package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.inferometer.measurement.statistics.CensoredDistribution;
import org.inferometer.measurement.statistics.DependentTail;
import org.inferometer.measurement.statistics.Distribution;
import org.inferometer.measurement.statistics.Moments;
import org.inferometer.record.CellFigure;
import org.inferometer.record.CellFigure.Ends;
import org.inferometer.record.CellFigure.Pooled;
import org.inferometer.record.Metric;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestStatus;

/// How far the percentiles of a cell may be from those of its system, by the requests of all its runs together.
///
/// The percentile of a short run is too good on average, so an interval over runs misses that of the system, the more runs, the more often.
/// Here the interval of a tail also holds what all requests tell, counted as [DependentTail] does. Where they do not tell it, the figure is
/// marked.
public final class PooledTails {
    private static final List<Integer> TAILS = List.of(90, 95, 99);
    private static final int SLOWEST = 90;
    private static final int JUDGED = 100;

    private final List<CellFigure> figures;
    private final List<RequestColumns> runs;
    private final boolean anyGivenUp;
    private final Map<String, CellFigure> pooled = new HashMap<>();

    private PooledTails(List<CellFigure> figures, List<RequestColumns> runs) {
        this.figures = figures;
        this.runs = runs.stream().map(RequestColumns::measured).map(run -> run.ascending(run::intendedNanos)).toList();
        this.anyGivenUp =
                this.runs.stream().anyMatch(run -> run.count(i -> run.status(i) == RequestStatus.GAVE_UP) > 0);
    }

    /// The figures of a cell, those of its latencies by all requests.
    ///
    /// @param runs the requests of each run behind the figures
    public static List<CellFigure> with(List<CellFigure> figures, List<RequestColumns> runs) {
        PooledTails tails = new PooledTails(figures, runs);
        RequestLatency.ALL.forEach(tails::add);
        tails.addPerToken();
        return figures.stream().map(figure -> tails.pooled.getOrDefault(figure.metric().id(), figure)).toList();
    }

    /// A number of a request; NaN where there is none.
    private interface Value {
        double of(RequestColumns run, int i);
    }

    private void add(RequestLatency latency) {
        if (figures.stream().noneMatch(figure -> figure.metric().equals(latency.family().mean()))) {
            return;
        }
        List<double[]> values = values(latency::value);
        if (anyGivenUp && latency.isKnownOfGivenUp()) {
            CensoredDistribution distribution = CensoredDistribution.of(
                    joined(values((run, i) -> latency.isOpen(run, i) ? Double.NaN : latency.value(run, i))),
                    joined(values((run, i) -> latency.isOpen(run, i) ? latency.value(run, i) : Double.NaN)));
            add(List.of(latency.family()), values, distribution::percentile);
        } else {
            long[] nanos = new long[Math.toIntExact(size(values))];
            int n = 0;
            for (double[] run : values) {
                for (double value : run) {
                    nanos[n++] = (long) value;
                }
            }
            add(List.of(latency.family()), values, percentiles(Distribution.takingNanos(nanos, n)));
        }
    }

    private void addPerToken() {
        List<double[]> values = values((run, i) -> run.answered(i) ? run.tpotNanos(i).orElse(Double.NaN) : Double.NaN);
        double[] all = joined(values);
        add(List.of(Metrics.TPOT, Metrics.INTERACTIVITY), values, percentiles(Distribution.taking(all, all.length)));
    }

    private static DoubleFunction<OptionalDouble> percentiles(Distribution distribution) {
        return percent -> distribution.isEmpty() ? OptionalDouble.empty()
                : OptionalDouble.of(distribution.percentile(percent));
    }

    private List<double[]> values(Value value) {
        List<double[]> values = new ArrayList<>();
        for (RequestColumns run : runs) {
            double[] known = new double[run.size()];
            int n = 0;
            for (int i = 0; i < run.size(); i++) {
                known[n] = value.of(run, i);
                n += Double.isNaN(known[n]) ? 0 : 1;
            }
            if (n > 0) {
                values.add(Arrays.copyOf(known, n));
            }
        }
        return values;
    }

    private static long size(List<double[]> values) {
        return values.stream().mapToLong(run -> run.length).sum();
    }

    private static double[] joined(List<double[]> values) {
        double[] all = new double[Math.toIntExact(size(values))];
        int n = 0;
        for (double[] run : values) {
            System.arraycopy(run, 0, all, n, run.length);
            n += run.length;
        }
        return all;
    }

    /// @param families of the values, or of their inverse
    /// @param percentile of all values, from 0 to 100; empty beyond what is known
    private void add(List<MetricFamily> families, List<double[]> values, DoubleFunction<OptionalDouble> percentile) {
        long n = size(values);
        double slowest = inflation(values, percentile.apply(SLOWEST));
        for (int percent : TAILS) {
            DependentTail requests = DependentTail.of(n, values.size(),
                    percent == SLOWEST ? slowest : Math.max(slowest, inflation(values, percentile.apply(percent))));
            for (MetricFamily family : families) {
                boolean inverse = !family.percentiles().contains(percent);
                add(family.percentile(inverse ? 100 - percent : percent), values.size(), figure -> {
                    Optional<Ends> ends = ends(requests, percent, percentile, (1 - Moments.CONFIDENCE) / figure.looks())
                            .filter(each -> requests.isLong());
                    return new Pooled(requests.independent(), ends.isPresent(),
                            ends.flatMap(each -> joined(figure, each, inverse)).orElse(null));
                });
            }
        }
        // Fewer requests do not tell how far they depend on each other.
        if (values.stream().allMatch(run -> run.length >= JUDGED)) {
            DependentTail requests = DependentTail.of(n, values.size(), slowest);
            families.stream().flatMap(family -> Stream.of(family.mean(), family.p50()))
                    .forEach(metric -> add(metric, values.size(), figure -> new Pooled(requests.independent(),
                            requests.isLong(), figure.ends().filter(each -> requests.isLong()).orElse(null))));
        }
    }

    private void add(Metric metric, int ofRuns, Function<CellFigure, Pooled> tells) {
        CellFigures.find(figures, metric).filter(figure -> figure.runs() == ofRuns)
                .ifPresent(figure -> pooled.put(metric.id(), figure.withPooled(tells.apply(figure))));
    }

    private static double inflation(List<double[]> values, OptionalDouble level) {
        return level.isPresent() ? DependentTail.inflation(values, level.getAsDouble()) : 1;
    }

    /// The values between which the percentile of the system is.
    private static Optional<Ends> ends(DependentTail requests, int percent, DoubleFunction<OptionalDouble> percentile,
            double error) {
        return requests.shares(1 - percent / 100.0, error).flatMap(shares -> {
            OptionalDouble low = percentile.apply(100 * (1 - shares.aboveLow()));
            OptionalDouble high = percentile.apply(100 * (1 - shares.aboveHigh()));
            return low.isEmpty() || high.isEmpty() ? Optional.empty()
                    : Optional.of(new Ends(low.getAsDouble(), high.getAsDouble()));
        });
    }

    /// With the interval over runs, as runs may differ more than their requests tell; of one run there is none.
    private static Optional<Ends> joined(CellFigure figure, Ends nanos, boolean inverse) {
        Ends requests = inverse ? new Ends(1e9 / nanos.high(), 1e9 / nanos.low()) : nanos;
        return figure.ends()
                .map(runs -> new Ends(Math.min(requests.low(), runs.low()), Math.max(requests.high(), runs.high())));
    }
}
