package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import org.inferometer.measurement.statistics.CensoredDistribution;
import org.inferometer.measurement.statistics.Distribution;
import org.inferometer.record.Figure;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;

/// Latency distributions of the measured requests. Latencies are those of ok requests; what users who gave up had waited is the least that
/// their latency would have been. Send lateness, which judges the load generator, is taken from every request that was sent.
public final class LatencyFigures {
    private static final int MANY = 100_000;
    /// From this share of events that come with another one, something between target and client buffers.
    public static final double BUFFERED = 0.05;
    private final RequestColumns measured;
    private final RequestColumns ok;
    private final RequestColumns gaveUp;

    private LatencyFigures(RequestColumns measured) {
        this.measured = measured;
        this.ok = measured.where(measured::answered);
        this.gaveUp = measured.where(
                i -> measured.status(i) == RequestStatus.GAVE_UP && measured.sentNanos(i) != RequestOutcome.ABSENT);
    }

    public static List<Figure> of(RequestColumns measured) {
        return new LatencyFigures(measured).figures();
    }

    private List<Figure> figures() {
        Spans ttft = new Spans(ok.size());
        Spans serviceTtft = new Spans(ok.size());
        Spans queue = new Spans(ok.size());
        Spans prefill = new Spans(ok.size());
        Spans decode = new Spans(ok.size());
        Spans e2e = new Spans(ok.size());
        Spans serviceE2e = new Spans(ok.size());
        for (int i = 0; i < ok.size(); i++) {
            long first = ok.firstTokenNanos(i);
            long last = ok.lastTokenNanos(i);
            ttft.add(ok.intendedNanos(i), first);
            serviceTtft.add(ok.sentNanos(i), first);
            queue.add(ok.sentNanos(i), ok.admittedNanos(i));
            prefill.add(ok.prefillStartNanos(i), first);
            e2e.add(ok.intendedNanos(i), last);
            serviceE2e.add(ok.sentNanos(i), last);
            if (ok.events(i) > 1) {
                decode.add(first, last);
            }
        }
        List<Supplier<List<Figure>>> families =
                List.of(() -> figures(Metrics.TTFT, ttft, RequestColumns::intendedNanos, true),
                        () -> figures(Metrics.SERVICE_TTFT, serviceTtft, RequestColumns::sentNanos, true),
                        () -> Metrics.SEND_LATENESS.figures(sendLateness(measured)),
                        () -> Metrics.ENGINE_QUEUE.figures(queue.taken()),
                        () -> Metrics.PREFILL_LATENCY.figures(prefill.taken()),
                        () -> Metrics.DECODE_LATENCY.figures(decode.taken()),
                        () -> figures(Metrics.E2E, e2e, RequestColumns::intendedNanos, false),
                        () -> figures(Metrics.SERVICE_E2E, serviceE2e, RequestColumns::sentNanos, false),
                        this::perToken, this::gapFigures, this::shares, this::computingRate, this::fairness);
        // In parallel from this many requests on: each family has its own samples.
        var each = ok.size() < MANY ? families.stream() : families.parallelStream();
        return each.map(Supplier::get).toList().stream().flatMap(List::stream).toList();
    }

    /// An instant of a request.
    private interface Instant {
        long nanos(RequestColumns requests, int i);
    }

    /// @param answered spans of ok requests
    /// @param from where the spans begin
    /// @param toFirst whether they end with the first token, which some users saw before they gave up
    private List<Figure> figures(MetricFamily family, Spans answered, Instant from, boolean toFirst) {
        if (gaveUp.isEmpty()) {
            return family.figures(answered.taken());
        }
        Spans seen = new Spans(gaveUp.size());
        Spans waited = new Spans(gaveUp.size());
        for (int i = 0; i < gaveUp.size(); i++) {
            boolean arrived = toFirst && gaveUp.firstTokenNanos(i) != RequestOutcome.ABSENT;
            (arrived ? seen : waited).add(from.nanos(gaveUp, i),
                    arrived ? gaveUp.firstTokenNanos(i) : gaveUp.endNanos(i));
        }
        double[] observed = DoubleStream.concat(answered.values(), seen.values()).toArray();
        return family.figures(CensoredDistribution.of(observed, waited.values().toArray()));
    }

    /// Lengths of stretches with two known ends.
    private static final class Spans {
        private final long[] nanos;
        private int n;

        Spans(int most) {
            this.nanos = new long[most];
        }

        void add(long from, long to) {
            if (from != RequestOutcome.ABSENT && to != RequestOutcome.ABSENT) {
                nanos[n++] = to - from;
            }
        }

        DoubleStream values() {
            return Arrays.stream(nanos, 0, n).asDoubleStream();
        }

        Distribution taken() {
            return Distribution.takingNanos(nanos, n);
        }
    }

    private List<Figure> perToken() {
        double[] perToken = new double[ok.size()];
        int n = 0;
        boolean moving = true;
        for (int i = 0; i < ok.size(); i++) {
            OptionalDouble tpot = ok.tpotNanos(i);
            if (tpot.isPresent()) {
                perToken[n++] = tpot.getAsDouble();
                moving &= tpot.getAsDouble() > 0;
            }
        }
        Distribution distribution = Distribution.taking(perToken, n);
        List<Figure> figures = new ArrayList<>(Metrics.TPOT.figures(distribution));
        // A request whose events have one instant has no rate.
        if (moving) {
            figures.addAll(Metrics.INTERACTIVITY.figures(distribution.falling(tpot -> 1e9 / tpot)));
        }
        return figures;
    }

    private List<Figure> gapFigures() {
        long[] gaps = gaps();
        if (togetherShare(gaps) > BUFFERED) {
            // Events at one instant are one event.
            long[] apart = Arrays.stream(gaps).filter(gap -> gap != 0).toArray();
            return Metrics.INTER_CHUNK.figures(Distribution.takingNanos(apart, apart.length));
        }
        return (ok.count(ok::perChunk) > 0 ? Metrics.INTER_CHUNK : Metrics.ITL)
                .figures(Distribution.takingNanos(gaps, gaps.length));
    }

    /// The share of events after the first that came at the instant of the one before, over ok requests.
    public static double togetherShare(RequestColumns measured) {
        return togetherShare(new LatencyFigures(measured).gaps());
    }

    private static double togetherShare(long[] gaps) {
        return gaps.length == 0 ? 0 : (double) Arrays.stream(gaps).filter(gap -> gap == 0).count() / gaps.length;
    }

    private long[] gaps() {
        long total = ok.longs(i -> Math.max(0, ok.events(i) - 1)).sum();
        long[] gaps = new long[Math.toIntExact(total)];
        int n = 0;
        for (int i = 0; i < ok.size(); i++) {
            if (ok.severalAnswers(i)) {
                long[] own = ok.get(i).gapNanos();
                System.arraycopy(own, 0, gaps, n, own.length);
                n += own.length;
            } else if (!ok.endsOnly(i)) {
                n += ok.eventGapNanos(i, gaps, n);
            }
        }
        return Arrays.copyOf(gaps, n);
    }

    /// Time shares of queue, prefill and decode; absent unless every ok request has every instant.
    private List<Figure> shares() {
        double queue = 0;
        double prefill = 0;
        double decode = 0;
        for (int i = 0; i < ok.size(); i++) {
            long began = ok.prefillStartNanos(i);
            if (began == RequestOutcome.ABSENT || ok.intendedNanos(i) == RequestOutcome.ABSENT || ok.whole(i)) {
                return List.of();
            }
            queue += began - ok.intendedNanos(i);
            prefill += ok.firstTokenNanos(i) - began;
            decode += ok.lastTokenNanos(i) - ok.firstTokenNanos(i);
        }
        double all = queue + prefill + decode;
        if (!(all > 0)) {
            return List.of();
        }
        return List.of(new Figure(Metrics.QUEUE_SHARE, queue / all, ok.size(), true),
                new Figure(Metrics.PREFILL_SHARE, prefill / all, ok.size(), true),
                new Figure(Metrics.DECODE_SHARE, decode / all, ok.size(), true));
    }

    private List<Figure> computingRate() {
        double nanos = 0;
        double tokens = 0;
        for (int i = 0; i < ok.size(); i++) {
            if (ok.prefillStartNanos(i) == RequestOutcome.ABSENT) {
                return List.of();
            }
            nanos += ok.lastTokenNanos(i) - ok.prefillStartNanos(i);
            tokens += ok.outputTokens(i);
        }
        return nanos > 0 ? List.of(new Figure(Metrics.COMPUTING_RATE, tokens / nanos * 1e9, ok.size(), true))
                : List.of();
    }

    private List<Figure> fairness() {
        double[] perToken = new double[ok.size()];
        int n = 0;
        for (int i = 0; i < ok.size(); i++) {
            if (ok.intendedNanos(i) != RequestOutcome.ABSENT) {
                perToken[n++] = (double) (ok.lastTokenNanos(i) - ok.intendedNanos(i)) / ok.outputTokens(i);
            }
        }
        Distribution distribution = Distribution.taking(perToken, n);
        if (distribution.isEmpty() || !(distribution.percentile(50) > 0)) {
            return List.of();
        }
        double ratio = distribution.percentile(95) / distribution.percentile(50);
        return List
                .of(new Figure(Metrics.FAIRNESS, ratio, distribution.n(), Distribution.enough(distribution.n(), 95)));
    }

    /// `sent − intended` of every request that has both instants.
    public static Distribution sendLateness(RequestColumns measured) {
        Spans spans = new Spans(measured.size());
        for (int i = 0; i < measured.size(); i++) {
            spans.add(measured.intendedNanos(i), measured.sentNanos(i));
        }
        return spans.taken();
    }

    /// firstToken − sent of those ok requests that were sent while the fewest others were in flight. It does not grow with the load.
    ///
    /// @param most requests to take
    public static double[] serviceTtftAtLowLoad(List<RequestOutcome> measured, int most) {
        long[] sent = measured.stream().mapToLong(RequestOutcome::sentNanos)
                .filter(nanos -> nanos != RequestOutcome.ABSENT).sorted().toArray();
        long[] ended = measured.stream().filter(request -> request.sentNanos() != RequestOutcome.ABSENT)
                .mapToLong(RequestOutcome::endNanos).sorted().toArray();
        return measured.stream()
                .filter(request -> request.ok() && request.sentNanos() != RequestOutcome.ABSENT
                        && request.firstTokenNanos() != RequestOutcome.ABSENT)
                .sorted(Comparator.comparingInt(
                        request -> Backlog.upTo(sent, request.sentNanos()) - Backlog.upTo(ended, request.sentNanos())))
                .limit(most).mapToDouble(request -> request.firstTokenNanos() - request.sentNanos()).toArray();
    }
}
