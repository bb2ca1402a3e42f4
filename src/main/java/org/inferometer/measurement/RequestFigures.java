package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.record.Figure;
import org.inferometer.record.Metric;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;

/// Counts, rates, goodput and cost of the measured requests.
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

    /// Goodput, the share of requests within the SLO, and the cost of a million output tokens.
    static List<Figure> ofGoal(List<RequestOutcome> measured, RunWindow window, DeploymentGoal goal) {
        List<Figure> figures = new ArrayList<>();
        if (!goal.objective().isEmpty()) {
            SloAttainment attainment = new SloAttainment(goal.objective());
            long good = measured.stream().filter(attainment::isMetBy).count();
            figures.add(new Figure(Metrics.GOODPUT, good / window.seconds(), measured.size(), true));
            figures.add(new Figure(Metrics.OBJECTIVE_MET, attainment.share(measured),
                    attainment.judged(measured).size(), true));
        }
        long tokens = outputTokens(measured, window);
        if (goal.pricePerHour() > 0 && tokens > 0) {
            double tokensAnHour = tokens / window.seconds() * 3600;
            figures.add(new Figure(Metrics.COST_PER_MILLION, goal.pricePerHour() / tokensAnHour * 1e6, tokens, true));
        }
        return figures;
    }

    /// Output tokens of measured requests of any status: each was delivered.
    static long outputTokens(List<RequestOutcome> measured, RunWindow window) {
        double tokens = 0;
        for (RequestOutcome request : measured) {
            if (request.whole() || (request.eventNanos().length > 0 && request.firstTokenNanos() >= window.startNanos()
                    && window.contains(request.lastTokenNanos()))) {
                tokens += request.outputTokens(); // they ascend
                continue;
            }
            for (int event = 0; event < request.eventNanos().length; event++) {
                tokens += window.contains(request.eventNanos()[event]) ? request.tokensOf(event) : 0;
            }
        }
        return Math.round(tokens);
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
