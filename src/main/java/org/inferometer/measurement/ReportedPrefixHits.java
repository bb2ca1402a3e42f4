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
        return ofRequests(events, measured).or(() -> {
            ServerFigures server = ServerFigures.read(events, window);
            return COUNTERS.entrySet().stream()
                    .flatMap(counter -> share(server.increase(counter.getKey()).orElse(Double.NaN),
                            server.increase(counter.getValue()).orElse(Double.NaN), 1).stream())
                    .findFirst();
        });
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

    private static Optional<Figure> share(double hits, double all, long n) {
        return hits >= 0 && all > 0 ? Optional.of(new Figure(Metrics.PREFIX_HIT_RATE, Math.min(1, hits / all), n, true))
                : Optional.empty();
    }
}
