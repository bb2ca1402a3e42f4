package org.inferometer.measurement;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.commons.statistics.distribution.TDistribution;
import org.inferometer.measurement.statistics.LineFit;
import org.inferometer.record.RequestOutcome;

/// Whether the backlog of an open loop (requests due − requests ended) grew while requests were due.
///
/// A pipeline that only fills is no overload: requests that would still be in flight if every latency were one of the first twentieth of the
/// requests do not count. The backlog at the ends of ten equal parts has a least-squares line; its movement as a share of the requests is
/// the growth. The significance is that of the mean of the ten increments (Student's t, one-sided): in a saturated queue they are
/// independent, and in one that keeps up they cancel out, so that the test is then conservative.
///
/// @param offeredPerSecond requests due / time between the first and the last
/// @param growth movement of the line / requests
/// @param pValue probability of such increments if the backlog did not grow
/// @param latencies time between the first and the last request, in median latencies of the first twentieth
public record Backlog(double offeredPerSecond, double growth, double pValue, double latencies) {
    /// The least number of requests.
    public static final int LEAST_REQUESTS = 20;
    /// The growth from which a run is not served as fast as asked.
    public static final double GROWTH = 0.05;
    /// The significance of the growth.
    public static final double SIGNIFICANCE = 0.05;
    /// In a shorter run most requests are the filling and draining of the pipeline.
    public static final double LEAST_LATENCIES = 3;

    private static final int PARTS = 10;
    private static final int REFERENCE_SHARE = 20;
    private static final int LEAST_REFERENCE = 5;

    /// Of the measured requests that were sent; empty if there are fewer than [#LEAST_REQUESTS] or all were due at once.
    public static Optional<Backlog> of(List<RequestOutcome> measured) {
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
        long[] reference = sent.subList(0, Math.max(LEAST_REFERENCE, n / REFERENCE_SHARE)).stream()
                .mapToLong(request -> request.endNanos() - request.intendedNanos()).sorted().toArray();
        double length = due[n - 1] - due[0];
        double[] backlog = new double[PARTS + 1];
        for (int part = 1; part <= PARTS; part++) {
            long at = part == PARTS ? due[n - 1] : due[0] + Math.round(length * part / PARTS);
            int arrived = upTo(due, at);
            double filling = LongStream.of(due).limit(arrived)
                    .mapToDouble(intended -> reference.length - upTo(reference, at - intended)).sum()
                    / reference.length;
            backlog[part] = arrived - upTo(ended, at) - filling;
        }
        LineFit line = new LineFit();
        double mean = Arrays.stream(backlog).average().orElse(0);
        for (int part = 0; part <= PARTS; part++) {
            line.add(part - PARTS / 2.0, backlog[part] - mean);
        }
        double median = Math.max(1, reference[reference.length / 2]);
        return Optional.of(new Backlog(n / length * 1e9, line.slope() * PARTS / n, pValue(backlog), length / median));
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
        return growth > GROWTH && pValue <= SIGNIFICANCE;
    }

    /// Whether requests were due for long enough to tell.
    public boolean longEnough() {
        return latencies >= LEAST_LATENCIES;
    }

    public double servedPerSecond() {
        return offeredPerSecond * (1 - growth);
    }
}
