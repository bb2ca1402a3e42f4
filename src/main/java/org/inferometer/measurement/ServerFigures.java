package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.inferometer.record.Figure;
import org.inferometer.record.Metric;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunEvent.ServerQuantity;

/// What a server says of itself over the window of a run, beside what the client saw.
///
/// Counters count from the last reading before the window, else the first in it, to the last in it; warm-up and other clients within them
/// count. Levels are means of the readings inside. Readings of replicas add up, shares are their mean.
final class ServerFigures {
    private static final Map<ServerQuantity, MetricFamily> TIMES =
            Map.of(ServerQuantity.QUEUE_TIME, Metrics.SERVER_QUEUE, ServerQuantity.PREFILL_TIME, Metrics.SERVER_PREFILL,
                    ServerQuantity.DECODE_TIME, Metrics.SERVER_DECODE, ServerQuantity.TTFT, Metrics.SERVER_TTFT,
                    ServerQuantity.E2E, Metrics.SERVER_E2E, ServerQuantity.INTER_TOKEN, Metrics.SERVER_INTER_TOKEN);
    private static final double MOST = 1e15; // of any counter or level
    private final Map<String, Map<String, Series>> byName = new HashMap<>(); // then by replica
    private final Map<String, HistogramIncrease> histograms;

    /// The readings of one series.
    private static final class Series {
        private double before = Double.NaN;
        private double first = Double.NaN;
        private double last = Double.NaN;
        private double sum;
        private double most;
        private int n;
        private double latest = Double.NaN;
        private boolean fell;

        void add(double value, long nanos, RunWindow window) {
            fell |= nanos >= window.startNanos() && nanos <= window.endNanos() && value < latest;
            latest = value;
            if (nanos < window.startNanos()) {
                before = value;
            } else if (nanos <= window.endNanos()) {
                first = n == 0 ? value : first;
                last = value;
                most = Math.max(most, value);
                sum += value;
                n++;
            }
        }

        /// Unchanged counters are not read again. A counter that fell was reset.
        OptionalDouble increase() {
            double from = Double.isNaN(before) ? first : before;
            double to = Double.isNaN(last) ? before : last;
            return Double.isNaN(from) || fell ? OptionalDouble.empty() : OptionalDouble.of(to - from);
        }
    }

    private ServerFigures(Map<String, HistogramIncrease> histograms) {
        this.histograms = histograms;
    }

    /// The figures that the readings give; none of a server without them.
    static List<Figure> of(List<RunEvent> events, RunWindow window) {
        return read(events, window).all();
    }

    /// The readings of all series.
    static ServerFigures read(List<RunEvent> events, RunWindow window) {
        ServerFigures figures = new ServerFigures(HistogramIncrease.of(events, window));
        for (RunEvent event : events) {
            if (event instanceof RunEvent.Gauge gauge && gauge.value() >= 0 && gauge.value() <= MOST) {
                figures.byName.computeIfAbsent(gauge.series(), key -> new HashMap<>())
                        .computeIfAbsent(gauge.name(), key -> new Series()).add(gauge.value(), gauge.nanos(), window);
            }
        }
        return figures;
    }

    private List<Figure> all() {
        List<Figure> figures = new ArrayList<>();
        for (ServerQuantity quantity : ServerQuantity.values()) {
            if (TIMES.get(quantity) instanceof MetricFamily times) {
                figures.addAll(times(quantity, times));
            }
        }
        level(ServerQuantity.RUNNING, Metrics.SERVER_RUNNING).ifPresent(figures::add);
        level(ServerQuantity.WAITING, Metrics.SERVER_WAITING).ifPresent(figures::add);
        share(ServerQuantity.KV_USE).filter(series -> series.values().stream().allMatch(each -> each.most <= 1))
                .ifPresent(series -> {
                    double mean = series.values().stream().filter(each -> each.n > 0)
                            .mapToDouble(each -> each.sum / each.n).average().orElse(0);
                    int n = series.values().stream().mapToInt(each -> each.n).sum();
                    figures.add(new Figure(Metrics.SERVER_KV_USE, mean, n, true));
                    figures.add(new Figure(Metrics.SERVER_KV_PEAK,
                            series.values().stream().mapToDouble(each -> each.most).max().orElse(0), n, true));
                });
        increase(ServerQuantity.PREEMPTIONS).ifPresent(
                count -> figures.add(new Figure(Metrics.SERVER_PREEMPTIONS, count, Math.round(count), true)));
        OptionalDouble drafted = increase(ServerQuantity.DRAFTED);
        OptionalDouble accepted = increase(ServerQuantity.ACCEPTED);
        if (drafted.orElse(0) > 0 && accepted.isPresent()) {
            figures.add(new Figure(Metrics.SERVER_ACCEPTANCE, accepted.getAsDouble() / drafted.getAsDouble(),
                    Math.round(drafted.getAsDouble()), true));
        }
        return figures;
    }

    /// Mean and percentiles of what was counted inside.
    private List<Figure> times(ServerQuantity quantity, MetricFamily times) {
        for (String name : quantity.names()) {
            OptionalDouble requests = increase(name + "_count");
            OptionalDouble seconds = increase(name + "_sum");
            if (requests.orElse(0) > 0 && seconds.isPresent()) {
                Figure mean = new Figure(times.mean(), seconds.getAsDouble() / requests.getAsDouble() * 1e9,
                        Math.round(requests.getAsDouble()), true);
                return Stream.concat(Stream.of(mean),
                        Stream.ofNullable(histograms.get(name)).flatMap(each -> each.percentiles(times).stream()))
                        .toList();
            }
        }
        return List.of();
    }

    private Optional<Figure> level(ServerQuantity quantity, Metric metric) {
        return share(quantity).map(series -> new Figure(metric,
                series.values().stream().filter(each -> each.n > 0).mapToDouble(each -> each.sum / each.n).sum(),
                series.values().stream().mapToInt(each -> each.n).sum(), true));
    }

    /// The first of its names that was read inside the window.
    private Optional<Map<String, Series>> share(ServerQuantity quantity) {
        return quantity.names().stream().filter(byName::containsKey).map(byName::get)
                .filter(series -> series.values().stream().anyMatch(each -> each.n > 0)).findFirst();
    }

    private OptionalDouble increase(ServerQuantity quantity) {
        return quantity.names().stream().map(this::increase).filter(OptionalDouble::isPresent).findFirst()
                .orElse(OptionalDouble.empty());
    }

    /// The increase of a counter over the window, of all replicas; empty where it was not read, or fell.
    OptionalDouble increase(String name) {
        Map<String, Series> replicas = byName.getOrDefault(name, Map.of());
        List<OptionalDouble> increases = replicas.values().stream().map(Series::increase).toList();
        return increases.isEmpty() || !increases.stream().allMatch(OptionalDouble::isPresent) ? OptionalDouble.empty()
                : OptionalDouble.of(increases.stream().mapToDouble(OptionalDouble::getAsDouble).sum());
    }
}
