package org.inferometer.measurement.definitions;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import org.inferometer.measurement.LatencyFigures;
import org.inferometer.measurement.definitions.Rule.ClockStart;
import org.inferometer.measurement.definitions.Rule.RequestEnd;
import org.inferometer.measurement.definitions.Rule.TokenTime;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestOutcome;

/// The latencies of ok requests under some rules, in nanoseconds.
final class DefinedLatencies {
    private static final WeightedSamples NOTHING = WeightedSamples.of(new double[0], null);
    private final List<RequestOutcome> ok;
    private final Rules rules;

    /// @param ok requests that ended ok with output
    DefinedLatencies(List<RequestOutcome> ok, Rules rules) {
        this.ok = ok;
        this.rules = rules;
    }

    WeightedSamples timeToFirstToken() {
        return ofRequests(ok, request -> timeToFirstToken(request).orElse(Double.NaN));
    }

    WeightedSamples endToEnd() {
        return ofRequests(ok, request -> endToEnd(request).orElse(Double.NaN));
    }

    WeightedSamples perToken() {
        return switch (rules.tokenTime()) {
            case NONE -> NOTHING;
            case AFTER_FIRST_EVENT, AFTER_FIRST -> ofRequests(ok, request -> tokenTime(request).orElse(Double.NaN));
            case AFTER_FIRST_OR_ZERO ->
                ofRequests(ok, request -> tokenTime(request).orElse(request.whole() ? Double.NaN : 0));
            case WITH_FIRST -> {
                List<RequestOutcome> known =
                        ok.stream().filter(request -> start(request) != RequestOutcome.ABSENT).toList();
                yield WeightedSamples.of(known.stream()
                        .mapToDouble(r -> (double) (r.lastTokenNanos() - start(r)) / r.outputTokens()).toArray(),
                        known.stream().mapToLong(RequestOutcome::outputTokens).toArray());
            }
        };
    }

    WeightedSamples gaps() {
        return switch (rules.gaps()) {
            case NONE -> NOTHING;
            case EVERY_TOKEN -> ok.stream().anyMatch(RequestOutcome::perChunk)
                    || LatencyFigures.togetherShare(RequestColumns.of(ok)) > LatencyFigures.BUFFERED ? NOTHING
                            : WeightedSamples.of(ok.stream().flatMapToLong(request -> LongStream.of(request.gapNanos()))
                                    .asDoubleStream().toArray(), null);
            case EVERY_CHUNK -> pooled(false);
            case SPLIT_CHUNKS -> pooled(true);
            case PER_REQUEST -> ofRequests(ok, request -> tokenTime(request).orElse(Double.NaN));
            case PER_REQUEST_WEIGHTED -> {
                List<RequestOutcome> several =
                        ok.stream().filter(request -> request.outputTokens() > 1 && !request.whole()).toList();
                yield WeightedSamples.of(several.stream()
                        .mapToDouble(r -> (double) (r.lastTokenNanos() - r.firstTokenNanos()) / (r.outputTokens() - 1))
                        .toArray(), several.stream().mapToLong(r -> r.outputTokens() - 1L).toArray());
            }
        };
    }

    OptionalDouble timeToFirstToken(RequestOutcome request) {
        long start = start(request);
        long first = request.firstTokenNanos();
        boolean known = start != RequestOutcome.ABSENT && first != RequestOutcome.ABSENT;
        return known ? OptionalDouble.of(first - start) : OptionalDouble.empty();
    }

    OptionalDouble endToEnd(RequestOutcome request) {
        long start = start(request);
        long end = end(request);
        boolean known = start != RequestOutcome.ABSENT && end != RequestOutcome.ABSENT;
        return known ? OptionalDouble.of(end - start) : OptionalDouble.empty();
    }

    /// (end − first event) / (n − k): k is the number of tokens of the first event, or 1 by the rules of other tools. Empty unless
    /// n > k, and for an answer that was not streamed.
    OptionalDouble tokenTime(RequestOutcome request) {
        boolean byEvent = rules.tokenTime() == TokenTime.AFTER_FIRST_EVENT;
        if (byEvent && request.tpotNanos().isEmpty()) {
            return OptionalDouble.empty();
        }
        if (byEvent && request.eventAnswers().length > 0) {
            return request.tpotNanos();
        }
        int first = byEvent ? request.firstEventTokens().orElse(1) : 1;
        long end = end(request);
        return request.outputTokens() > first && end != RequestOutcome.ABSENT && !request.whole()
                ? OptionalDouble.of((double) (end - request.firstTokenNanos()) / (request.outputTokens() - first))
                : OptionalDouble.empty();
    }

    private long start(RequestOutcome request) {
        return rules.clock() == ClockStart.INTENDED ? request.intendedNanos() : request.sentNanos();
    }

    private long end(RequestOutcome request) {
        return rules.end() == RequestEnd.LAST_TOKEN ? request.lastTokenNanos() : request.endNanos();
    }

    private static WeightedSamples ofRequests(List<RequestOutcome> requests, ToDoubleFunction<RequestOutcome> nanos) {
        return WeightedSamples.of(requests.stream().mapToDouble(nanos).filter(Double::isFinite).toArray(), null);
    }

    /// Gaps between events over all requests.
    ///
    /// @param split whether a gap is shared among the tokens of the event after it, each of which then counts; gaps of events
    ///        whose tokens are not known stay whole
    private WeightedSamples pooled(boolean split) {
        int most =
                Math.toIntExact(ok.stream().mapToLong(request -> Math.max(0, request.eventNanos().length - 1)).sum());
        double[] gaps = new double[most];
        long[] weights = new long[most];
        int n = 0;
        for (RequestOutcome request : ok) {
            long[] at = request.endsOnly() ? new long[0] : request.eventNanos();
            for (int i = 1; i < at.length; i++) {
                int tokens = split && request.knowsEventTokens() ? request.eventTokens()[i] : 1;
                gaps[n] = (double) (at[i] - at[i - 1]) / tokens;
                weights[n++] = tokens;
            }
        }
        return WeightedSamples.of(Arrays.copyOf(gaps, n), split ? Arrays.copyOf(weights, n) : null);
    }
}
