package org.inferometer.measurement;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.inferometer.measurement.statistics.Distribution;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Figure;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunEvent.HistogramGrew;

/// What a histogram of a server counted inside the window of a run.
///
/// It counts from the last reading before the window, else the first in it, to the last in it.
final class HistogramIncrease {
    private final SortedMap<Double, Long> counts = new TreeMap<>(); // by upper end, in seconds
    private boolean read;
    private boolean reset;

    private HistogramIncrease() {}

    /// The increases of all histograms, by name.
    static Map<String, HistogramIncrease> of(List<RunEvent> events, RunWindow window) {
        Map<String, HistogramIncrease> histograms = new HashMap<>();
        for (RunEvent event : events) {
            if (event instanceof HistogramGrew grew && grew.nanos() <= window.endNanos()) {
                histograms.computeIfAbsent(grew.name(), name -> new HistogramIncrease()).add(grew,
                        grew.nanos() >= window.startNanos());
            }
        }
        return histograms;
    }

    private void add(HistogramGrew grew, boolean inside) {
        if (grew.first()) {
            reset |= read && inside;
            counts.clear();
            grew.added().keySet().forEach(bound -> counts.put(bound, 0L));
        } else if (inside) {
            grew.added().forEach((bound, added) -> counts.merge(bound, added, Long::sum));
        }
        read = true;
    }

    /// The percentiles that lie in a bucket with two ends, linear between them; none if the histogram began at 0 again.
    List<Figure> percentiles(MetricFamily family) {
        long n = counts.values().stream().mapToLong(Long::longValue).sum();
        return reset || n <= 0 ? List.of()
                : family.percentiles().stream().flatMap(percent -> percentile(family, percent, n).stream()).toList();
    }

    private Optional<Figure> percentile(MetricFamily family, int percent, long n) {
        double rank = percent / 100.0 * n;
        double low = 0;
        long below = 0;
        for (Map.Entry<Double, Long> bucket : counts.entrySet()) {
            double high = bucket.getKey();
            long inside = bucket.getValue();
            if (inside > 0 && below + inside >= rank) {
                double value = low + (high - low) * (rank - below) / inside;
                return high < low || Double.isInfinite(high) ? Optional.empty()
                        : Optional.of(new Figure(family.percentile(percent), value * 1e9, n,
                                Distribution.enough(n, percent), new CellFigure.Ends(low * 1e9, high * 1e9)));
            }
            below += inside;
            low = Math.max(low, high);
        }
        return Optional.empty();
    }
}
