package org.inferometer.measurement.definitions;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.RateWindow;
import org.inferometer.measurement.RequestFigures;
import org.inferometer.measurement.RunWindow;
import org.inferometer.measurement.SloAttainment;
import org.inferometer.measurement.definitions.Rule.Failures;
import org.inferometer.measurement.definitions.Rule.RequestEnd;
import org.inferometer.record.Metric;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestOutcome;
import org.inferometer.workload.LoadKind;
import org.jspecify.annotations.Nullable;

/// Rates of the measured requests under some rules.
final class DefinedRates {
    private final RequestColumns measured;
    private final List<RequestOutcome> ok;
    private final Rules rules;
    private final LoadKind load;
    private final @Nullable ServiceObjective objective;

    DefinedRates(RequestColumns measured, List<RequestOutcome> ok, Rules rules, LoadKind load,
            @Nullable ServiceObjective objective) {
        this.measured = measured;
        this.ok = ok;
        this.rules = rules;
        this.load = load;
        this.objective = objective;
    }

    /// By metric id; nothing without a window.
    Map<Metric, Double> all() {
        Optional<RunWindow> window = window();
        if (window.isEmpty()) {
            return Map.of();
        }
        RunWindow within = window.get();
        double seconds = within.seconds();
        // Ours cuts the run; those of other tools hold all that they count.
        boolean cuts = rules.window() == Rule.Window.FULL_LOAD;
        List<RequestOutcome> counted = rules.failures() == Failures.TOKENS_COUNT ? measured : ok;
        double output = cuts ? RequestFigures.outputTokens(counted, within)
                : counted.stream().filter(request -> request.eventNanos().length > 0 || request.whole())
                        .mapToLong(RequestOutcome::outputTokens).sum();
        double prompt = counted.stream()
                .filter(request -> request.outputTokens() > 0
                        && (!cuts || within.contains(request.whole() ? request.endNanos() : request.firstTokenNanos())))
                .mapToLong(RequestOutcome::promptTokens).sum();
        Predicate<RequestOutcome> ended = request -> !cuts || within.contains(request.lastTokenNanos());
        long requests = measured.stream().filter(RequestOutcome::ok).filter(ended).count();
        Map<Metric, Double> rates = new LinkedHashMap<>();
        rates.put(Metrics.WINDOW, (double) within.lengthNanos());
        rates.put(Metrics.REQUEST_THROUGHPUT,
                (rules.window() == Rule.Window.ONE_LESS ? requests - 1 : requests) / seconds);
        rates.put(Metrics.OUTPUT_THROUGHPUT, output / seconds);
        rates.put(Metrics.TOTAL_THROUGHPUT, (prompt + output) / seconds);
        if (objective != null && rules.goodput() != Rule.Goodput.NONE) {
            ServiceObjective limits = objective;
            rates.put(Metrics.GOODPUT,
                    ok.stream().filter(ended).filter(request -> good(request, limits)).count() / seconds);
        }
        return rates;
    }

    private Optional<RunWindow> window() {
        return switch (rules.window()) {
            case FULL_LOAD -> RateWindow.of(measured, load);
            case SENT_TO_LAST_END -> between(measured.stream().mapToLong(RequestOutcome::sentNanos),
                    measured.stream().mapToLong(RequestOutcome::endNanos));
            case VALID_ONLY -> between(ok.stream().mapToLong(RequestOutcome::sentNanos), ok.stream().mapToLong(
                    rules.end() == RequestEnd.LAST_TOKEN ? RequestOutcome::lastTokenNanos : RequestOutcome::endNanos));
            case ONE_LESS -> between(measured.stream().mapToLong(RequestOutcome::intendedNanos),
                    measured.stream().filter(request -> request.lastTokenNanos() != RequestOutcome.ABSENT)
                            .max(Comparator.comparingLong(RequestOutcome::intendedNanos)).stream()
                            .mapToLong(RequestOutcome::lastTokenNanos));
        };
    }

    private static Optional<RunWindow> between(LongStream starts, LongStream ends) {
        long start = starts.filter(nanos -> nanos != RequestOutcome.ABSENT).min().orElse(Long.MAX_VALUE);
        long end = ends.max().orElse(Long.MIN_VALUE);
        return end > start ? Optional.of(new RunWindow(start, end)) : Optional.empty();
    }

    private boolean good(RequestOutcome request, ServiceObjective limits) {
        DefinedLatencies latencies = new DefinedLatencies(List.of(request), rules);
        boolean oneToken = request.outputTokens() == 1 && rules.goodput() == Rule.Goodput.ONE_TOKEN_MEETS;
        OptionalDouble tokenTime = rules.tokenTime() == Rule.TokenTime.AFTER_FIRST_EVENT
                ? SloAttainment.longestTpotNanos(request) : latencies.tokenTime(request);
        return within(latencies.timeToFirstToken(request), limits.ttftNanos())
                && within(latencies.endToEnd(request), limits.e2eNanos())
                && (oneToken || within(tokenTime, limits.tpotNanos()));
    }

    private static boolean within(OptionalDouble value, OptionalDouble limit) {
        return limit.isEmpty() || (value.isPresent() && value.getAsDouble() <= limit.getAsDouble());
    }
}
