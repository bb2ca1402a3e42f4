package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.record.Figure;
import org.inferometer.record.Metric;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;

/// Counts, rates, goodput and cost of the measured requests.
final class RequestFigures {
    private RequestFigures() {}

    static List<Figure> of(RequestColumns measured, Optional<RunWindow> window) {
        List<Figure> figures = new ArrayList<>();
        if (!measured.isEmpty()) {
            window.ifPresent(within -> figures.addAll(rates(measured, within)));
            long[] counts = new long[RequestStatus.values().length];
            for (int i = 0; i < measured.size(); i++) {
                counts[measured.status(i).ordinal()]++;
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
        RequestColumns columns = RequestColumns.of(measured);
        double tokens = 0;
        for (int i = 0; i < columns.size(); i++) {
            if (columns.whole(i) || (columns.events(i) > 0 && columns.firstTokenNanos(i) >= window.startNanos()
                    && window.contains(columns.lastTokenNanos(i)))) {
                tokens += columns.outputTokens(i); // they ascend
                continue;
            }
            RequestOutcome request = columns.get(i);
            for (int event = 0; event < request.eventNanos().length; event++) {
                tokens += window.contains(request.eventNanos()[event]) ? request.tokensOf(event) : 0;
            }
        }
        return Math.round(tokens);
    }

    private static List<Figure> rates(RequestColumns measured, RunWindow window) {
        long ok = 0;
        long outputTokens = outputTokens(measured, window);
        long promptTokens = 0;
        for (int i = 0; i < measured.size(); i++) {
            ok += measured.ok(i) ? 1 : 0;
            promptTokens += measured.outputTokens(i) > 0 ? measured.promptTokens(i) : 0;
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
            case GAVE_UP -> Metrics.REQUESTS_GAVE_UP;
            case REFUSED -> Metrics.REQUESTS_REFUSED;
        };
    }
}
