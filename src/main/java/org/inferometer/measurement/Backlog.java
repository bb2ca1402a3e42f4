package org.inferometer.measurement;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.apache.commons.statistics.distribution.TDistribution;
import org.inferometer.measurement.statistics.LineFit;
import org.inferometer.record.RequestOutcome;

/// Whether the backlog of an open loop grew while requests were due, so that the target was slower than the load.
///
/// The backlog are the requests that wait for their first token: a batch that only fills lets none wait. A target that lets all in at once
/// makes them slower instead; then all requests in flight are the backlog, if they grow in the second half as in the first. Both are looked
/// at after the first ten requests have ended, at most the first half later: a cold start is no overload and hides none.
///
/// Where the rate changes by design, more requests wait because more are due. There only those count that wait longer than the median of the
/// first half.
///
/// @param offeredPerSecond requests due / time between the first and the last
/// @param growth movement of the least-squares line of the backlog / requests due meanwhile; 0 for less than five requests
/// @param pValue probability of such increments if the backlog did not grow (Student's t of ten increments, one-sided): in a saturated queue
///     they are independent, and in one that keeps up they cancel out, so that the test is then conservative
/// @param latencies time between the first and the last request, in lower quartiles of E2E
/// @param shortLatencies the same in P5 of E2E, which a queue that grows fast makes less long
public record Backlog(double offeredPerSecond, double growth, double pValue, double latencies, double shortLatencies) {
    /// The least number of requests.
    public static final int LEAST_REQUESTS = 20;
    /// The growth from which a run is not served as fast as asked.
    public static final double GROWTH = 0.05;
    /// The significance of the growth.
    public static final double SIGNIFICANCE = 0.07;
    /// In a shorter run most requests are the filling and draining of the pipeline.
    public static final double LEAST_LATENCIES = 3;

    /// Fewer requests come and go by chance.
    private static final double LEAST_MOVED = 5;
    private static final double FAST_GROWTH = 0.35;
    private static final int COLD = 10;
    private static final int PARTS = 10;
    /// Below this ratio of the growth in the second half to that in the first, requests in flight approach a limit.
    private static final double LASTING = 0.8;
    /// In a shorter run a large batch still fills.
    private static final double FILLED_LATENCIES = 5;

    /// Of the measured requests that were sent; empty if there are fewer than [#LEAST_REQUESTS] or all were due at once.
    ///
    /// @param even whether the rate is the same over the run by design
    public static Optional<Backlog> of(List<RequestOutcome> measured, boolean even) {
        List<RequestOutcome> sent = measured.stream()
                .filter(request -> request.intendedNanos() != RequestOutcome.ABSENT
                        && request.sentNanos() != RequestOutcome.ABSENT)
                .sorted(Comparator.comparingLong(RequestOutcome::intendedNanos)).toList();
        int n = sent.size();
        if (n < LEAST_REQUESTS || sent.getLast().intendedNanos() == sent.getFirst().intendedNanos()) {
            return Optional.empty();
        }
        long[] due = sent.stream().mapToLong(RequestOutcome::intendedNanos).toArray();
        long[] ended = sent.stream().mapToLong(RequestOutcome::endNanos).sorted().toArray();
        long[] begun = sent.stream().mapToLong(Backlog::begunNanos).sorted().toArray();
        long[] latencies =
                sent.stream().mapToLong(request -> request.endNanos() - request.intendedNanos()).sorted().toArray();
        double length = due[n - 1] - due[0];
        double fits = length / Math.max(1, latencies[n / 4]);
        double fitsShort = length / Math.max(1, latencies[n / 20]);
        long warm = sent.stream().limit(COLD).mapToLong(RequestOutcome::endNanos).max().orElseThrow();
        long from = Math.clamp(warm, due[0], due[0] + (due[n - 1] - due[0]) / 2);
        Growth waiting = Growth.of(due, begun, from, even ? 0 : usualNanos(sent, Backlog::begunNanos));
        Growth inFlight = Growth.of(due, ended, from, even ? 0 : usualNanos(sent, RequestOutcome::endNanos));
        boolean letsAllIn = !waiting.grew() && inFlight.grew() && inFlight.lasting && fits >= FILLED_LATENCIES;
        Growth judged = letsAllIn ? inFlight : waiting;
        return Optional.of(new Backlog(n / length * 1e9, judged.share, judged.pValue, fits, fitsShort));
    }

    private static long begunNanos(RequestOutcome request) {
        return request.firstTokenNanos() == RequestOutcome.ABSENT ? request.endNanos() : request.firstTokenNanos();
    }

    /// The median of the first half.
    private static long usualNanos(List<RequestOutcome> sent, ToLongFunction<RequestOutcome> done) {
        long[] first = sent.stream().limit(sent.size() / 2)
                .mapToLong(request -> done.applyAsLong(request) - request.intendedNanos()).sorted().toArray();
        return Math.max(0, first[first.length / 2]);
    }

    /// @param share as [Backlog#growth]
    /// @param pValue as [Backlog#pValue]
    /// @param lasting whether it did not grow more slowly towards the end
    private record Growth(double share, double pValue, boolean lasting) {
        /// @param due ascending
        /// @param done ascending, instants at which a request leaves the backlog
        /// @param warm where looking begins, or when the first request has waited as long as usual
        /// @param usualNanos how long a request may stay in the backlog before it counts
        static Growth of(long[] due, long[] done, long warm, long usualNanos) {
            int n = due.length;
            long from = Math.max(warm, Math.min(due[0] + usualNanos, due[0] + (due[n - 1] - due[0]) / 2));
            double[] backlog = new double[PARTS + 1];
            for (int part = 0; part <= PARTS; part++) {
                long at = part == PARTS ? due[n - 1] : from + Math.round((double) (due[n - 1] - from) * part / PARTS);
                backlog[part] = upTo(due, at - usualNanos) - upTo(done, at);
            }
            LineFit line = new LineFit();
            double mean = Arrays.stream(backlog).average().orElse(0);
            for (int part = 0; part <= PARTS; part++) {
                line.add(part - PARTS / 2.0, backlog[part] - mean);
            }
            double first = backlog[PARTS / 2] - backlog[0];
            double second = backlog[PARTS] - backlog[PARTS / 2];
            double moved = line.slope() * PARTS;
            return new Growth(moved < LEAST_MOVED ? 0 : moved / (n - upTo(due, from)), Backlog.pValue(backlog),
                    second >= LASTING * first);
        }

        boolean grew() {
            return share > GROWTH && pValue <= SIGNIFICANCE;
        }
    }

    /// Values of an ascending array that are at most this.
    public static int upTo(long[] ascending, long value) {
        int low = 0;
        int high = ascending.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ascending[middle] <= value) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static double pValue(double[] backlog) {
        double mean = (backlog[PARTS] - backlog[0]) / PARTS;
        double squares = 0;
        for (int part = 1; part <= PARTS; part++) {
            double off = backlog[part] - backlog[part - 1] - mean;
            squares += off * off;
        }
        double error = Math.sqrt(squares / (PARTS - 1) / PARTS);
        double t = mean == 0 ? 0 : mean / error;
        return TDistribution.of(PARTS - 1).survivalProbability(t);
    }

    /// Whether the target was slower than the load.
    public boolean grew() {
        return new Growth(growth, pValue, true).grew();
    }

    /// Whether requests were due for long enough to tell.
    public boolean longEnough() {
        return latencies >= LEAST_LATENCIES || (growth >= FAST_GROWTH && shortLatencies >= LEAST_LATENCIES);
    }

    public double servedPerSecond() {
        return offeredPerSecond * (1 - growth);
    }
}
