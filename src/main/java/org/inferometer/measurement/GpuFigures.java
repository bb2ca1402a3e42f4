package org.inferometer.measurement;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.inferometer.record.Figure;
import org.inferometer.record.Metric;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunEvent.GpuQuantity;

/// Energy, power, memory and utilisation of the GPUs whose exporter was read beside a server.
///
/// Levels are means of the readings inside a window, of all GPUs together; utilisation is the mean of the GPUs.
final class GpuFigures {
    private final Map<GpuQuantity, NavigableMap<Long, Map<String, Double>>> readings = new HashMap<>(); // by instant, by GPU

    private GpuFigures(List<RunEvent> events) {
        for (RunEvent event : events) {
            if (event instanceof RunEvent.Gauge gauge && gauge.value() >= 0 && Double.isFinite(gauge.value())) {
                for (GpuQuantity quantity : GpuQuantity.values()) {
                    if (quantity.gauge().equals(gauge.series())) {
                        readings.computeIfAbsent(quantity, each -> new TreeMap<>())
                                .computeIfAbsent(gauge.nanos(), each -> new HashMap<>())
                                .put(gauge.name(), gauge.value());
                    }
                }
            }
        }
    }

    /// The figures that the readings give; none without an exporter.
    ///
    /// @param rates window of energy, power and utilisation; empty where there is none
    /// @param window of memory
    static List<Figure> of(List<RunEvent> events, RequestColumns measured, Optional<RunWindow> rates,
            RunWindow window) {
        GpuFigures gpus = new GpuFigures(events);
        return Stream.of(rates.flatMap(within -> gpus.energy(measured, within)),
                rates.flatMap(within -> gpus.mean(GpuQuantity.POWER, Metrics.GPU_POWER, within, GpuFigures::sum)),
                rates.flatMap(within -> gpus.mean(GpuQuantity.USE, Metrics.DEVICE_UTILISATION, within,
                        each -> sum(each) / each.size() / 100)),
                gpus.memory(window)).flatMap(Optional::stream).toList();
    }

    /// Between two instants at which the counters of all GPUs rose: an exporter that looks at its GPUs once a second repeats them until then.
    private Optional<Figure> energy(RequestColumns measured, RunWindow rates) {
        Map<String, Double> counters = new HashMap<>();
        NavigableMap<Long, Double> joules = new TreeMap<>(); // so far, at those instants
        double total = 0;
        for (Map.Entry<Long, Map<String, Double>> reading : of(GpuQuantity.ENERGY).entrySet()) {
            int risen = 0;
            for (Map.Entry<String, Double> gpu : reading.getValue().entrySet()) {
                double more = gpu.getValue() - counters.getOrDefault(gpu.getKey(), gpu.getValue());
                if (more < 0 && rates.contains(reading.getKey())) {
                    return Optional.empty(); // it began at 0 again
                }
                counters.put(gpu.getKey(), gpu.getValue());
                total += Math.max(0, more);
                risen += more > 0 ? 1 : 0;
            }
            if (risen == counters.size() && rates.contains(reading.getKey())) {
                joules.put(reading.getKey(), total);
            }
        }
        if (joules.size() < 2) {
            return Optional.empty();
        }
        long tokens = RequestFigures.outputTokens(measured, new RunWindow(joules.firstKey(), joules.lastKey()));
        double used = joules.getOrDefault(joules.lastKey(), 0.0) - joules.getOrDefault(joules.firstKey(), 0.0);
        return tokens == 0 ? Optional.empty()
                : Optional.of(new Figure(Metrics.ENERGY_PER_TOKEN, used / tokens, tokens, true));
    }

    private Optional<Figure> mean(GpuQuantity quantity, Metric metric, RunWindow rates,
            ToDoubleFunction<Map<String, Double>> level) {
        List<Map<String, Double>> inside = inside(quantity, rates);
        return inside.isEmpty() ? Optional.empty() : Optional.of(
                new Figure(metric, inside.stream().mapToDouble(level).average().orElseThrow(), inside.size(), true));
    }

    private Optional<Figure> memory(RunWindow window) {
        List<Map<String, Double>> inside = inside(GpuQuantity.MEMORY, window);
        return inside.isEmpty() ? Optional.empty() : Optional.of(new Figure(Metrics.REPORTED_MEMORY_PEAK,
                inside.stream().mapToDouble(GpuFigures::sum).max().orElseThrow(), inside.size(), true));
    }

    /// The readings of all GPUs inside a window; those in which one is missing are left out.
    private List<Map<String, Double>> inside(GpuQuantity quantity, RunWindow window) {
        Collection<Map<String, Double>> inside =
                of(quantity).subMap(window.startNanos(), true, window.endNanos(), true).values();
        int most = inside.stream().mapToInt(Map::size).max().orElse(0);
        return inside.stream().filter(each -> each.size() == most).toList();
    }

    private NavigableMap<Long, Map<String, Double>> of(GpuQuantity quantity) {
        return readings.getOrDefault(quantity, new TreeMap<>());
    }

    private static double sum(Map<String, Double> gpus) {
        return gpus.values().stream().mapToDouble(Double::doubleValue).sum();
    }
}
