package org.inferometer.measurement.definitions;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.inferometer.measurement.definitions.Rule.ClockStart;
import org.inferometer.measurement.definitions.Rule.RequestEnd;
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
            case AFTER_FIRST -> ofRequests(ok, request -> afterFirst(request).orElse(Double.NaN));
            case AFTER_FIRST_OR_ZERO ->
                ofRequests(ok, request -> afterFirst(request).orElse(request.whole() ? Double.NaN : 0));
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
            case EVERY_TOKEN -> ok.stream().noneMatch(RequestOutcome::perChunk) ? pooled(false, false) : NOTHING;
            case EVERY_CHUNK -> pooled(true, false);
            case SPLIT_CHUNKS -> pooled(true, true);
            case PER_REQUEST -> ofRequests(ok, request -> afterFirst(request).orElse(Double.NaN));
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

    /// (end − first token) / (n − 1); empty for a single token and for a whole answer.
    OptionalDouble afterFirst(RequestOutcome request) {
        int gaps = request.outputTokens() - 1;
        long end = end(request);
        return gaps > 0 && end != RequestOutcome.ABSENT && !request.whole()
                ? OptionalDouble.of((double) (end - request.firstTokenNanos()) / gaps) : OptionalDouble.empty();
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

    /// Gaps over all requests.
    ///
    /// @param together whether output that arrived at one instant is one chunk
    /// @param split whether a chunk's gap is shared among its tokens, each of which then counts
    private WeightedSamples pooled(boolean together, boolean split) {
        int most =
                Math.toIntExact(ok.stream().mapToLong(request -> Math.max(0, request.tokenNanos().length - 1)).sum());
        double[] gaps = new double[most];
        long[] weights = new long[most];
        int n = 0;
        for (RequestOutcome request : ok) {
            long[] at = request.endsOnly() ? new long[0] : request.tokenNanos();
            int chunk = 0;
            while (chunk < at.length) {
                int next = chunk + 1;
                while (together && next < at.length && at[next] == at[chunk]) {
                    next++;
                }
                if (chunk > 0) {
                    int tokens = split ? next - chunk : 1;
                    gaps[n] = (double) (at[chunk] - at[chunk - 1]) / tokens;
                    weights[n++] = tokens;
                }
                chunk = next;
            }
        }
        return WeightedSamples.of(Arrays.copyOf(gaps, n), split ? Arrays.copyOf(weights, n) : null);
    }
}
