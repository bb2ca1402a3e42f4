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
    private final long near;

    private LatencyFigures(RequestColumns measured) {
        this.measured = measured;
        this.ok = measured.where(measured::answered);
        this.near = ok.isEmpty() ? 0 : RequestOutcome.nearNanos(ok.source(0), false);
        this.gaveUp = measured.where(
                i -> measured.status(i) == RequestStatus.GAVE_UP && measured.sentNanos(i) != RequestOutcome.ABSENT);
    }

    public static List<Figure> of(RequestColumns measured) {
        return new LatencyFigures(measured).figures();
    }

    private List<Figure> figures() {
        List<Supplier<List<Figure>>> families = List.of(() -> figures(RequestLatency.TTFT),
                () -> figures(RequestLatency.SERVICE_TTFT), () -> Metrics.SEND_LATENESS.figures(sendLateness(measured)),
                () -> figures(RequestLatency.ENGINE_QUEUE), () -> figures(RequestLatency.PREFILL),
                () -> figures(RequestLatency.DECODE), () -> figures(RequestLatency.E2E),
                () -> figures(RequestLatency.SERVICE_E2E), this::perToken, this::gapFigures, this::shares,
                this::computingRate, this::fairness);
        // In parallel from this many requests on: each family has its own samples.
        var each = ok.size() < MANY ? families.stream() : families.parallelStream();
        return each.map(Supplier::get).toList().stream().flatMap(List::stream).toList();
    }

    private List<Figure> figures(RequestLatency latency) {
        Spans answered = new Spans(ok.size());
        for (int i = 0; i < ok.size(); i++) {
            answered.add(latency.nanos(ok, i));
        }
        if (gaveUp.isEmpty() || !latency.isKnownOfGivenUp()) {
            return latency.family().figures(answered.taken());
        }
        Spans seen = new Spans(gaveUp.size());
        Spans waited = new Spans(gaveUp.size());
        for (int i = 0; i < gaveUp.size(); i++) {
            (latency.isSeen(gaveUp, i) ? seen : waited).add(latency.leastNanos(gaveUp, i));
        }
        double[] observed = DoubleStream.concat(answered.values(), seen.values()).toArray();
        return latency.family().figures(CensoredDistribution.of(observed, waited.values().toArray()));
    }

    /// Lengths of time, as far as they are known.
    private static final class Spans {
        private final long[] nanos;
        private int n;

        Spans(int most) {
            this.nanos = new long[most];
        }

        void add(long length) {
            if (length != RequestOutcome.ABSENT) {
                nanos[n++] = length;
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
            long[] apart = Arrays.stream(gaps).filter(gap -> gap > near).toArray();
            return Metrics.INTER_CHUNK.figures(Distribution.takingNanos(apart, apart.length));
        }
        return (ok.count(ok::perChunk) > 0 ? Metrics.INTER_CHUNK : Metrics.ITL)
                .figures(Distribution.takingNanos(gaps, gaps.length));
    }

    /// The share of events after the first that came with the one before, over ok requests.
    public static double togetherShare(RequestColumns measured) {
        LatencyFigures figures = new LatencyFigures(measured);
        return figures.togetherShare(figures.gaps());
    }

    private double togetherShare(long[] gaps) {
        return gaps.length == 0 ? 0 : (double) Arrays.stream(gaps).filter(gap -> gap <= near).count() / gaps.length;
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
            spans.add(RequestLatency.between(measured.intendedNanos(i), measured.sentNanos(i)));
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
