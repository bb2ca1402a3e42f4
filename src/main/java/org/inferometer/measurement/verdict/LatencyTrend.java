package org.inferometer.measurement.verdict;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.apache.commons.statistics.distribution.TDistribution;
import org.inferometer.measurement.statistics.Distribution;
import org.inferometer.record.RequestOutcome;

/// Whether a latency moved over a run, by intended send time.
///
/// The first tenth is left out, and all requests before the first end. The rest is cut into 20 parts of equal count; the logarithms of their means have a least-squares line.
/// Requests in one queue share their fate, so the parts are no independent values: their number is reduced to K·(1 − r)/(1 + r), with r the
/// lag-1 autocorrelation of the residuals (Santer et al. 2000, J. Geophys. Res. 105), raised by its bias (2 + 4r)/K after a fitted line
/// (Kendall 1954, Biometrika 41). The latency moved if the line at least doubles or halves, with a slope significant at 0.01.
///
/// @param ratio end of the line / start of the line
/// @param pValue of the slope
record LatencyTrend(double ratio, double pValue) {
    /// The least number of requests.
    static final int LEAST_REQUESTS = 300;
    /// The ratio from which a latency is not steady.
    static final double RATIO = 2;
    /// The significance of the slope.
    static final double SIGNIFICANCE = 0.01;

    private static final int PARTS = 20;

    /// Of the ok requests with both instants; empty with fewer than [#LEAST_REQUESTS].
    ///
    /// @param end the instant at which the latency ends
    static Optional<LatencyTrend> of(List<RequestOutcome> measured, ToLongFunction<RequestOutcome> end) {
        List<RequestOutcome> ok = measured.stream()
                .filter(request -> request.ok() && request.intendedNanos() != RequestOutcome.ABSENT
                        && end.applyAsLong(request) != RequestOutcome.ABSENT)
                .sorted(Comparator.comparingLong(RequestOutcome::intendedNanos)).toList();
        long firstEnd = ok.stream().mapToLong(RequestOutcome::endNanos).min().orElse(0);
        long filling = ok.stream().filter(request -> request.intendedNanos() < firstEnd).count();
        double[] latencies = ok.stream().skip(Math.max(filling, ok.size() / 10))
                .mapToDouble(request -> Math.max(1, end.applyAsLong(request) - request.intendedNanos())).toArray();
        return latencies.length < LEAST_REQUESTS * 9 / 10 ? Optional.empty() : Optional.of(of(latencies));
    }

    private static LatencyTrend of(double[] latencies) {
        int n = latencies.length;
        double[] logs = new double[PARTS];
        double mean = 0;
        for (int part = 0; part < PARTS; part++) {
            int from = (int) ((long) n * part / PARTS);
            int to = (int) ((long) n * (part + 1) / PARTS);
            logs[part] = Math.log(Distribution.taking(Arrays.copyOfRange(latencies, from, to), to - from).mean());
            mean += logs[part] / PARTS;
        }
        return of(logs, mean);
    }

    private static LatencyTrend of(double[] logs, double mean) {
        double xy = 0;
        double xx = 0;
        for (int i = 0; i < PARTS; i++) {
            double x = i - (PARTS - 1) / 2.0;
            xy += x * (logs[i] - mean);
            xx += x * x;
        }
        double slope = xy / xx;
        double squares = 0;
        double lagged = 0;
        double before = 0;
        for (int i = 0; i < PARTS; i++) {
            double residual = logs[i] - mean - slope * (i - (PARTS - 1) / 2.0);
            squares += residual * residual;
            lagged += i == 0 ? 0 : residual * before;
            before = residual;
        }
        if (squares == 0) {
            return new LatencyTrend(Math.exp(slope * PARTS), slope == 0 ? 1 : 0);
        }
        double raw = lagged / squares;
        double correlation = Math.clamp(raw + (2 + 4 * raw) / PARTS, 0, 0.99);
        double freedom = PARTS * (1 - correlation) / (1 + correlation) - 2;
        double pValue = freedom <= 0.5 ? 1 : 2
                * TDistribution.of(freedom).survivalProbability(Math.abs(slope) / Math.sqrt(squares / freedom / xx));
        return new LatencyTrend(Math.exp(slope * PARTS), pValue);
    }

    boolean grew() {
        return ratio >= RATIO && pValue <= SIGNIFICANCE;
    }

    boolean fell() {
        return ratio <= 1 / RATIO && pValue <= SIGNIFICANCE;
    }
}
