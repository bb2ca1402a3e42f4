package org.inferometer.measurement;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.commons.statistics.distribution.TDistribution;
import org.inferometer.record.RequestOutcome;

/// Whether a run was in a steady state: whether its output throughput, once it had started up, moved in no direction.
///
/// The series is the output that arrived in 200 equal slices between the first intended and the last sending, while load was put on;
/// the drain after it is left out. The start-up is found by MSER-5 (White 1997, A Simple Rule for Mitigating Initialization Bias;
/// White, Cobb and Spratt 2000): over the means of five slices each, the cut that makes the squared standard error of what remains
/// least, sought in the first half. What remains is steady unless a least-squares line over it moves by more than a tenth of its mean and the
/// slope is significant at 0.01.
///
/// @param startUpShare share of the series that MSER-5 cuts off as start-up
/// @param drift movement of the line over the rest / mean; positive if throughput grew
/// @param steady whether the movement is within the limit
public record SteadyState(double startUpShare, double drift, boolean steady) {
    /// Instants below which the slices say nothing: five for each.
    public static final int LEAST_ARRIVALS = 1000;
    /// The movement that is called one.
    public static final double DRIFT = 0.1;
    /// The chance to call a series without a trend unsteady, were its movement large enough.
    public static final double SIGNIFICANCE = 0.01;

    private static final int SLICES = 200;
    private static final int BATCH = 5;

    /// Judges a run; absent where there is too little output, or where requests were all sent in less than half the window, so that the run
    /// is mostly its own drain.
    public static Optional<SteadyState> of(List<RequestOutcome> measured, RunWindow window) {
        long lastSent = RequestOutcome.ABSENT;
        for (RequestOutcome request : measured) {
            lastSent = Math.max(lastSent, request.sentNanos());
        }
        if (lastSent == RequestOutcome.ABSENT || lastSent - window.startNanos() < window.lengthNanos() / 2) {
            return Optional.empty();
        }
        double length = (double) (lastSent - window.startNanos()) / SLICES;
        double[] batches = new double[SLICES / BATCH];
        long arrivals = 0;
        for (RequestOutcome request : measured) {
            for (long nanos : request.tokenNanos()) {
                int slice = (int) ((nanos - window.startNanos()) / length);
                if (nanos >= window.startNanos() && slice < SLICES) {
                    batches[slice / BATCH]++;
                    arrivals++;
                }
            }
        }
        return arrivals < LEAST_ARRIVALS ? Optional.empty() : Optional.of(ofBatches(batches));
    }

    /// Judges a series of batch means.
    static SteadyState ofBatches(double[] batches) {
        int cut = startUp(batches);
        Trend trend = Trend.of(Arrays.copyOfRange(batches, cut, batches.length));
        boolean steady = Math.abs(trend.movement()) <= DRIFT || trend.pValue() > SIGNIFICANCE;
        return new SteadyState((double) cut / batches.length, trend.movement(), steady);
    }

    /// MSER-5: the cut d that makes Σ (y − mean)² / (k − d)² over the values behind it least, d at most half.
    private static int startUp(double[] batches) {
        int best = 0;
        double least = Double.POSITIVE_INFINITY;
        double sum = 0;
        double squares = 0;
        for (int cut = batches.length - 1; cut >= 0; cut--) {
            sum += batches[cut];
            squares += batches[cut] * batches[cut];
            int n = batches.length - cut;
            double error = (squares - sum * sum / n) / ((double) n * n);
            if (cut <= batches.length / 2 && error <= least) {
                least = error;
                best = cut;
            }
        }
        return best;
    }

    /// A least-squares line over equally spaced values.
    ///
    /// @param movement slope times length, as a share of the mean
    /// @param pValue of a slope at least as steep if there were none
    private record Trend(double movement, double pValue) {
        static Trend of(double[] values) {
            int n = values.length;
            double mean = Arrays.stream(values).average().orElse(0);
            double middle = (n - 1) / 2.0;
            double xx = 0;
            double xy = 0;
            double yy = 0;
            for (int i = 0; i < n; i++) {
                xx += (i - middle) * (i - middle);
                xy += (i - middle) * (values[i] - mean);
                yy += (values[i] - mean) * (values[i] - mean);
            }
            double slope = xy / xx;
            double rest = Math.max(0, yy - slope * xy);
            double t = Math.abs(slope) / Math.sqrt(rest / (n - 2) / xx);
            double pValue = Double.isNaN(t) ? 1 : 2 * TDistribution.of(n - 2).survivalProbability(t);
            return new Trend(mean == 0 ? 0 : slope * n / mean, pValue);
        }
    }
}
