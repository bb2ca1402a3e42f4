package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.inferometer.record.Figure;
import org.inferometer.record.Metric;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;

/// Counts and rates of the measured requests.
final class RequestFigures {
    private RequestFigures() {}

    static List<Figure> of(List<RequestOutcome> measured, Optional<RunWindow> window) {
        List<Figure> figures = new ArrayList<>();
        if (!measured.isEmpty()) {
            window.ifPresent(within -> figures.addAll(rates(measured, within)));
            long[] counts = new long[RequestStatus.values().length];
            for (RequestOutcome request : measured) {
                counts[request.status().ordinal()]++;
            }
            for (RequestStatus status : RequestStatus.values()) {
                figures.add(new Figure(metric(status), counts[status.ordinal()], measured.size(), true));
            }
        }
        return figures;
    }

    /// Output tokens of measured requests, whatever became of the requests: each was delivered.
    static long outputTokens(List<RequestOutcome> measured, RunWindow window) {
        long tokens = 0;
        for (RequestOutcome request : measured) {
            if (request.perChunk() || request.whole()) {
                // All its chunks lie inside: the window ends with the last of any request.
                tokens += request.outputTokens();
                continue;
            }
            if (request.tokenNanos().length > 0 && request.firstTokenNanos() >= window.startNanos()
                    && window.contains(request.lastTokenNanos())) {
                tokens += request.tokenNanos().length; // they ascend
                continue;
            }
            for (long nanos : request.tokenNanos()) {
                tokens += window.contains(nanos) ? 1 : 0;
            }
        }
        return tokens;
    }

    private static List<Figure> rates(List<RequestOutcome> measured, RunWindow window) {
        long ok = 0;
        long outputTokens = outputTokens(measured, window);
        long promptTokens = 0;
        for (RequestOutcome request : measured) {
            ok += request.ok() ? 1 : 0;
            promptTokens += request.outputTokens() > 0 ? request.promptTokens() : 0;
        }
        double seconds = window.seconds();
        return List.of(new Figure(Metrics.REQUEST_THROUGHPUT, ok / seconds, ok, true),
                new Figure(Metrics.OUTPUT_THROUGHPUT, outputTokens / seconds, outputTokens, true),
                new Figure(Metrics.TOTAL_THROUGHPUT, (promptTokens + outputTokens) / seconds,
                        promptTokens + outputTokens, true),
                new Figure(Metrics.WINDOW, window.lengthNanos(), 1, true),
                new Figure(Metrics.OUTPUT_TOKENS, outputTokens, outputTokens, true),
                new Figure(Metrics.PROMPT_TOKENS, promptTokens, promptTokens, true));
    }

    private static Metric metric(RequestStatus status) {
        return switch (status) {
            case OK -> Metrics.REQUESTS_OK;
            case FAILED -> Metrics.REQUESTS_FAILED;
            case TIMED_OUT -> Metrics.REQUESTS_TIMED_OUT;
            case CANCELLED -> Metrics.REQUESTS_CANCELLED;
            case REFUSED -> Metrics.REQUESTS_REFUSED;
        };
    }
}
