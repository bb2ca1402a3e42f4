package org.inferometer.measurement;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.record.Figure;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunEvent;
import org.inferometer.workload.RequestId;

/// The share of prompt tokens that a server took from its prefix cache, by its own counts.
final class ReportedPrefixHits {
    /// Counters of cached and of all prompt tokens.
    private static final Map<String, String> COUNTERS = Map.of("vllm:prefix_cache_hits_total",
            "vllm:prefix_cache_queries_total", "sglang:cached_tokens_total", "sglang:prompt_tokens_total");

    private ReportedPrefixHits() {}

    /// By the counts of the requests, else by the counters of the server. Empty if it reports neither.
    static Optional<Figure> of(List<RunEvent> events, List<RequestOutcome> measured, RunWindow window) {
        return ofRequests(events, measured).or(
                () -> COUNTERS.entrySet().stream().flatMap(counter -> share(increase(events, counter.getKey(), window),
                        increase(events, counter.getValue(), window), 1).stream()).findFirst());
    }

    /// Servers that count cached tokens leave the count out where it is 0.
    private static Optional<Figure> ofRequests(List<RunEvent> events, List<RequestOutcome> measured) {
        Map<RequestId, Integer> cached = new HashMap<>();
        for (RunEvent event : events) {
            if (event instanceof RunEvent.CachedPrompt(long _, RequestId request, int tokens)) {
                cached.put(request, tokens);
            }
        }
        List<RequestOutcome> answered = measured.stream().filter(RequestOutcome::answered).toList();
        if (answered.stream().noneMatch(request -> cached.containsKey(request.id()))) {
            return Optional.empty();
        }
        long hits = answered.stream().mapToLong(request -> cached.getOrDefault(request.id(), 0)).sum();
        return share(hits, answered.stream().mapToLong(RequestOutcome::promptTokens).sum(), answered.size());
    }

    /// From the last reading before the window to the last one; NaN without both. Readings of replicas are added.
    private static double increase(List<RunEvent> events, String counter, RunWindow window) {
        Map<String, Double> before = new HashMap<>();
        Map<String, Double> last = new HashMap<>();
        for (RunEvent event : events) {
            if (event instanceof RunEvent.Gauge(long nanos, String name, double value)
                    && (name.equals(counter) || name.startsWith(counter + "{"))) {
                (nanos <= window.startNanos() ? before : last).put(name, value);
            }
        }
        return before.keySet().equals(last.keySet()) ? sum(last) - sum(before) : Double.NaN;
    }

    private static double sum(Map<String, Double> readings) {
        return readings.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    private static Optional<Figure> share(double hits, double all, long n) {
        return hits >= 0 && all > 0 ? Optional.of(new Figure(Metrics.PREFIX_HIT_RATE, Math.min(1, hits / all), n, true))
                : Optional.empty();
    }
}
