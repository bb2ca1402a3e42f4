package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.record.Figure;
import org.inferometer.record.Metric;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.workload.LoadKind;

/// Counts, rates, goodput and cost of the measured requests.
public final class RequestFigures {
    /// The largest share of requests that a share within the SLO leaves open.
    private static final double UNKNOWN = 0.01;

    private RequestFigures() {}

    /// @param window of the run
    /// @param rates window of its rates
    static List<Figure> of(RequestColumns measured, Optional<RunWindow> window, Optional<RunWindow> rates,
            LoadKind load) {
        List<Figure> figures = new ArrayList<>();
        if (!measured.isEmpty()) {
            rates.ifPresent(within -> figures.addAll(rates(measured, within, load)));
            window.ifPresent(within -> figures.addAll(totals(measured, within)));
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

    /// The share of requests within the SLO; absent where users left too early to tell it.
    static Optional<Figure> objectiveMet(List<RequestOutcome> measured, DeploymentGoal goal) {
        SloAttainment attainment = new SloAttainment(goal.objective());
        return goal.objective().isEmpty() || attainment.unknown(measured) > UNKNOWN ? Optional.empty()
                : Optional.of(new Figure(Metrics.OBJECTIVE_MET, attainment.share(measured),
                        attainment.judged(measured).size(), true));
    }

    /// Goodput, and the cost of a million output tokens.
    ///
    /// @param rates window of the rates
    static List<Figure> ofGoal(RequestColumns measured, RunWindow rates, DeploymentGoal goal, LoadKind load) {
        List<Figure> figures = new ArrayList<>();
        SloAttainment attainment = new SloAttainment(goal.objective());
        if (!goal.objective().isEmpty() && load.setsRates()) {
            // By their arrivals: those that end inside the window depend on the latency.
            double good = measured.stream().filter(attainment::isMetBy).count();
            offered(measured).ifPresent(offered -> figures
                    .add(new Figure(Metrics.GOODPUT, offered.value() * good / measured.size(), measured.size(), true)));
        } else if (!goal.objective().isEmpty() && turnsOver(measured, rates, load)) {
            long good = measured.stream()
                    .filter(request -> rates.contains(request.lastTokenNanos()) && attainment.isMetBy(request)).count();
            figures.add(new Figure(Metrics.GOODPUT, good / rates.seconds(), measured.size(), true));
        }
        long tokens = outputTokens(measured, rates);
        if (goal.pricePerHour() > 0 && tokens > 0) {
            double tokensAnHour = tokens / rates.seconds() * 3600;
            figures.add(new Figure(Metrics.COST_PER_MILLION, goal.pricePerHour() / tokensAnHour * 1e6, tokens, true));
        }
        return figures;
    }

    /// Whether as many requests ended inside as a closed loop has slots. Else most slots are in their first request, and requests a second
    /// tell when it began.
    private static boolean turnsOver(RequestColumns measured, RunWindow rates, LoadKind load) {
        return load.arriving() != LoadKind.Arriving.CLOSED || load.sessions()
                || measured.count(i -> rates.contains(measured.endNanos(i))) >= Math.min(load.slots(), measured.size());
    }

    /// Output tokens of measured requests of any status: each was delivered.
    public static long outputTokens(List<RequestOutcome> measured, RunWindow window) {
        RequestColumns columns = RequestColumns.of(measured);
        double tokens = 0;
        for (int i = 0; i < columns.size(); i++) {
            if (columns.whole(i) || columns.events(i) == 0 || (columns.firstTokenNanos(i) >= window.startNanos()
                    && window.contains(columns.lastTokenNanos(i)))) {
                tokens += window.contains(columns.lastTokenNanos(i)) ? columns.outputTokens(i) : 0; // they ascend
                continue;
            }
            RequestOutcome request = columns.get(i);
            for (int event = 0; event < request.eventNanos().length; event++) {
                tokens += window.contains(request.eventNanos()[event]) ? request.tokensOf(event) : 0;
            }
        }
        return Math.round(tokens);
    }

    private static List<Figure> rates(RequestColumns measured, RunWindow window, LoadKind load) {
        long ok = 0;
        long outputTokens = outputTokens(measured, window);
        long promptTokens = 0;
        for (int i = 0; i < measured.size(); i++) {
            ok += measured.ok(i) && window.contains(measured.lastTokenNanos(i)) ? 1 : 0;
            long read = measured.whole(i) ? measured.lastTokenNanos(i) : measured.firstTokenNanos(i);
            promptTokens += measured.outputTokens(i) > 0 && window.contains(read) ? measured.promptTokens(i) : 0;
        }
        double seconds = window.seconds();
        List<Figure> figures = new ArrayList<>();
        if (turnsOver(measured, window, load)) {
            figures.add(new Figure(Metrics.REQUEST_THROUGHPUT, ok / seconds, ok, true));
        }
        if (load.setsRates()) {
            offered(measured).ifPresent(figures::add);
        }
        figures.add(new Figure(Metrics.OUTPUT_THROUGHPUT, outputTokens / seconds, outputTokens, true));
        figures.add(new Figure(Metrics.TOTAL_THROUGHPUT, (promptTokens + outputTokens) / seconds,
                promptTokens + outputTokens, true));
        figures.add(new Figure(Metrics.RATE_WINDOW, window.lengthNanos(), 1, true));
        return figures;
    }

    /// Requests after the first / time from the first intended send time to the last.
    private static Optional<Figure> offered(RequestColumns measured) {
        LongSummaryStatistics due = measured.longs(measured::intendedNanos)
                .filter(nanos -> nanos != RequestOutcome.ABSENT).summaryStatistics();
        long nanos = due.getCount() < 2 ? 0 : due.getMax() - due.getMin();
        return nanos == 0 ? Optional.empty() : Optional
                .of(new Figure(Metrics.OFFERED_RATE, (due.getCount() - 1) * 1e9 / nanos, due.getCount(), true));
    }

    private static List<Figure> totals(RequestColumns measured, RunWindow window) {
        long outputTokens = outputTokens(measured, window);
        long promptTokens = measured.longs(i -> measured.outputTokens(i) > 0 ? measured.promptTokens(i) : 0).sum();
        return List.of(new Figure(Metrics.WINDOW, window.lengthNanos(), 1, true),
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
