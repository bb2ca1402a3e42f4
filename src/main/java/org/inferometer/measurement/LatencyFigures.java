package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/// Latency distributions of the measured requests. Latencies are those of ok requests; only send lateness, which judges the load
/// generator, is taken from every request that was sent.
final class LatencyFigures {
    private static final int MANY = 100_000;
    private static final long[] NONE = {};
    private final List<RequestOutcome> measured;
    private final List<RequestOutcome> ok;

    private LatencyFigures(List<RequestOutcome> measured) {
        this.measured = measured;
        this.ok = measured.stream().filter(request -> request.ok() && request.tokenNanos().length > 0).toList();
    }

    static List<Figure> of(List<RequestOutcome> measured) {
        return new LatencyFigures(measured).figures();
    }

    private List<Figure> figures() {
        List<Supplier<List<Figure>>> families = List.of(
                () -> spans(Metrics.TTFT, RequestOutcome::intendedNanos, RequestOutcome::firstTokenNanos),
                () -> spans(Metrics.SERVICE_TTFT, RequestOutcome::sentNanos, RequestOutcome::firstTokenNanos),
                () -> Metrics.SEND_LATENESS.figures(sendLateness(measured)),
                () -> spans(Metrics.ENGINE_QUEUE, RequestOutcome::sentNanos, RequestOutcome::admittedNanos),
                () -> spans(Metrics.PREFILL_LATENCY, RequestOutcome::prefillStartNanos, RequestOutcome::firstTokenNanos),
                this::decode,
                () -> spans(Metrics.E2E, RequestOutcome::intendedNanos, RequestOutcome::lastTokenNanos),
                () -> spans(Metrics.SERVICE_E2E, RequestOutcome::sentNanos, RequestOutcome::lastTokenNanos),
                this::perToken,
                () -> (ok.stream().anyMatch(RequestOutcome::perChunk) ? Metrics.INTER_CHUNK : Metrics.ITL).figures(gaps()),
                this::shares,
                this::fairness);
        // Each family sorts samples of its own; for a few, starting helpers would cost more than it saves.
        var each = ok.size() < MANY ? families.stream() : families.parallelStream();
        return each.map(Supplier::get).toList().stream().flatMap(List::stream).toList();
    }

    private List<Figure> spans(MetricFamily family, ToLongFunction<RequestOutcome> from, ToLongFunction<RequestOutcome> to) {
        return family.figures(distribution(ok, from, to));
    }

    /// `to − from` of every request that has both instants.
    static Distribution distribution(
            List<RequestOutcome> requests, ToLongFunction<RequestOutcome> from, ToLongFunction<RequestOutcome> to) {
        double[] nanos = new double[requests.size()];
        int n = 0;
        for (RequestOutcome request : requests) {
            long start = from.applyAsLong(request);
            long end = to.applyAsLong(request);
            if (start != RequestOutcome.ABSENT && end != RequestOutcome.ABSENT) {
                nanos[n++] = end - start;
            }
        }
        return Distribution.taking(nanos, n);
    }

    private List<Figure> decode() {
        List<RequestOutcome> decoding = ok.stream().filter(request -> request.outputTokens() > 1).toList();
        return Metrics.DECODE_LATENCY.figures(
                distribution(decoding, RequestOutcome::firstTokenNanos, RequestOutcome::lastTokenNanos));
    }

    private List<Figure> perToken() {
        double[] perToken = new double[ok.size()];
        double[] tokensPerSecond = new double[ok.size()];
        int n = 0;
        int moving = 0;
        for (RequestOutcome request : ok) {
            int gaps = request.outputTokens() - 1;
            if (gaps > 0) {
                double tpot = (double) (request.lastTokenNanos() - request.firstTokenNanos()) / gaps;
                perToken[n++] = tpot;
                if (tpot > 0) {
                    tokensPerSecond[moving++] = 1e9 / tpot;
                }
            }
        }
        List<Figure> figures = new ArrayList<>(Metrics.TPOT.figures(Distribution.taking(perToken, n)));
        // All tokens at one instant have no rate; one such request would leave the distribution incomplete.
        if (moving == n) {
            figures.addAll(Metrics.INTERACTIVITY.figures(Distribution.taking(tokensPerSecond, n)));
        }
        return figures;
    }

    private Distribution gaps() {
        long total = ok.stream().mapToLong(request -> request.tokenNanos().length - 1L).sum();
        double[] gaps = new double[Math.toIntExact(total)];
        int n = 0;
        for (RequestOutcome request : ok) {
            long[] tokens = request.endsOnly() ? NONE : request.tokenNanos();
            for (int i = 1; i < tokens.length; i++) {
                gaps[n++] = tokens[i] - tokens[i - 1];
            }
        }
        return Distribution.taking(gaps, n);
    }

    /// Where the time of requests goes. Absent unless every ok request has every instant: a share of some is none of all.
    private List<Figure> shares() {
        double queue = 0;
        double prefill = 0;
        double decode = 0;
        for (RequestOutcome request : ok) {
            if (request.prefillStartNanos() == RequestOutcome.ABSENT || request.intendedNanos() == RequestOutcome.ABSENT) {
                return List.of();
            }
            queue += request.prefillStartNanos() - request.intendedNanos();
            prefill += request.firstTokenNanos() - request.prefillStartNanos();
            decode += request.lastTokenNanos() - request.firstTokenNanos();
        }
        double all = queue + prefill + decode;
        if (!(all > 0)) {
            return List.of();
        }
        return List.of(
                new Figure(Metrics.QUEUE_SHARE, queue / all, ok.size(), true),
                new Figure(Metrics.PREFILL_SHARE, prefill / all, ok.size(), true),
                new Figure(Metrics.DECODE_SHARE, decode / all, ok.size(), true));
    }

    private List<Figure> fairness() {
        double[] perToken = ok.stream()
                .filter(request -> request.intendedNanos() != RequestOutcome.ABSENT)
                .mapToDouble(request -> (double) (request.lastTokenNanos() - request.intendedNanos()) / request.outputTokens())
                .toArray();
        Distribution distribution = Distribution.taking(perToken, perToken.length);
        if (distribution.isEmpty() || !(distribution.percentile(50) > 0)) {
            return List.of();
        }
        double ratio = distribution.percentile(95) / distribution.percentile(50);
        return List.of(new Figure(Metrics.FAIRNESS, ratio, distribution.n(), Distribution.enough(distribution.n(), 95)));
    }

    static Distribution sendLateness(List<RequestOutcome> measured) {
        return distribution(measured, RequestOutcome::intendedNanos, RequestOutcome::sentNanos);
    }

    static Distribution timeToFirstToken(List<RequestOutcome> measured) {
        List<RequestOutcome> answered = measured.stream().filter(RequestOutcome::ok).toList();
        return distribution(answered, RequestOutcome::intendedNanos, RequestOutcome::firstTokenNanos);
    }
}
