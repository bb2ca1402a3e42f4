package org.inferometer.target.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.inferometer.record.RunEvent.HistogramGrew;

/// What a page in the Prometheus text format says at one instant.
///
/// @param gauges gauges and counters by name, of several replicas with their label: "vllm:num_requests_running{engine=0}"
/// @param histograms by name, the values in each bucket alone by its upper end; the last is infinite
record MetricsPage(Map<String, Double> gauges, Map<String, SortedMap<Double, Long>> histograms) {
    /// A page without known series.
    static final MetricsPage EMPTY = new MetricsPage(Map.of(), Map.of());

    private static final int MOST_SERIES = 256;
    private static final double MOST_COUNTED = 1L << 53;
    private static final String BUCKET = "_bucket";
    /// Labels that identify a replica.
    private static final List<String> REPLICA = List.of("engine", "dp_rank", "tp_rank", "engine_index");

    /// Reads the page of a server: at most 256 gauges and counters, and the wanted histograms. Series of one name are kept apart by their
    /// replica; others, and histograms, are added.
    static MetricsPage of(String text, Set<String> gauges, Set<String> histograms) {
        Map<String, Map<String, Double>> series = new LinkedHashMap<>();
        Map<String, Buckets> buckets = new HashMap<>();
        int[] count = {0};
        PrometheusText.read(text, name -> gauges.contains(name) || histograms.contains(withoutBucket(name)),
                (name, sample) -> {
                    if (!gauges.contains(name)) {
                        buckets.computeIfAbsent(withoutBucket(name), each -> new Buckets()).add(sample);
                    } else if (count[0]++ < MOST_SERIES) {
                        series.computeIfAbsent(name, key -> new LinkedHashMap<>()).merge(replica(sample),
                                sample.value(), Double::sum);
                    }
                });
        Map<String, Double> readings = new LinkedHashMap<>();
        series.forEach((name, byReplica) -> byReplica
                .forEach((replica, value) -> readings.put(byReplica.size() == 1 ? name : name + replica, value)));
        Map<String, SortedMap<Double, Long>> counts = new HashMap<>();
        buckets.forEach((name, each) -> {
            SortedMap<Double, Long> sound = each.counts();
            if (!sound.isEmpty()) {
                counts.put(name, sound);
            }
        });
        return new MetricsPage(readings, counts);
    }

    private static String withoutBucket(String name) {
        return name.endsWith(BUCKET) ? name.substring(0, name.length() - BUCKET.length()) : "";
    }

    private static String replica(PrometheusText.Sample sample) {
        List<String> shown = new ArrayList<>();
        for (String label : REPLICA) {
            if (!sample.index(label).isEmpty()) {
                shown.add(label + "=" + sample.index(label));
            }
        }
        return shown.isEmpty() ? "" : "{" + String.join(",", shown) + "}";
    }

    /// The cumulative counts of all series of a histogram.
    private static final class Buckets {
        private final SortedMap<Double, Double> upTo = new TreeMap<>();
        private final Map<Double, Integer> series = new HashMap<>();
        private boolean sound = true;

        void add(PrometheusText.Sample sample) {
            double bound = PrometheusText.number(sample.labels().getOrDefault("le", ""), 0);
            sound &= !Double.isNaN(bound) && sample.value() >= 0;
            if (sound && (upTo.containsKey(bound) || upTo.size() < HistogramGrew.MOST_BUCKETS)) {
                upTo.merge(bound, sample.value(), Double::sum);
                series.merge(bound, 1, Integer::sum);
            } else {
                sound = false;
            }
        }

        /// The values in each bucket alone. Empty where the series have other bounds than each other, counts fall from one bound to the
        /// next, or the infinite bound is missing.
        SortedMap<Double, Long> counts() {
            boolean alike = Set.copyOf(series.values()).size() == 1;
            if (!sound || !alike || upTo.lastKey() != Double.POSITIVE_INFINITY
                    || upTo.getOrDefault(upTo.lastKey(), 0.0) > MOST_COUNTED) {
                return new TreeMap<>();
            }
            SortedMap<Double, Long> alone = new TreeMap<>();
            long before = 0;
            for (Map.Entry<Double, Double> each : upTo.entrySet()) {
                long counted = Math.round(each.getValue());
                if (counted < before) {
                    return new TreeMap<>();
                }
                alone.put(each.getKey(), counted - before);
                before = counted;
            }
            return alone;
        }
    }
}
