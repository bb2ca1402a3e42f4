package org.inferometer.measurement.verdict;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.inferometer.measurement.RunWindow;
import org.inferometer.measurement.statistics.LineFit;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestOutcome;

/// Whether the output throughput of a run was steady after its start-up.
///
/// The output between the first intended and the last sending is counted in 200 equal slices and averaged in fives; the drain is left out.
/// MSER-5 (White 1997, A Simple Rule for Mitigating Initialization Bias; White, Cobb and Spratt 2000) removes the start-up: the cut in the
/// first half with the smallest squared standard error of the rest. The rest is steady unless a least-squares line moves by more than a
/// tenth of the mean with a slope significant at 0.01.
///
/// @param startUpShare share of the series that MSER-5 cuts off as start-up
/// @param drift movement of the line over the rest / mean; positive if throughput grew
/// @param steady whether the movement is within the limit
public record SteadyState(double startUpShare, double drift, boolean steady) {
    /// The least number of token timestamps: five per slice.
    public static final int LEAST_ARRIVALS = 1000;
    /// The movement from which a run is not steady.
    public static final double DRIFT = 0.1;
    /// The significance of the slope.
    public static final double SIGNIFICANCE = 0.01;

    private static final int SLICES = 200;
    private static final int BATCH = 5;

    /// Judges a run; absent where there is too little output, or where requests were all sent in less than half the window, so that the run
    /// is mostly its own drain.
    public static Optional<SteadyState> of(List<RequestOutcome> measured, RunWindow window) {
        long lastSent = RequestOutcome.ABSENT;
        RequestColumns columns = RequestColumns.of(measured);
        for (int i = 0; i < columns.size(); i++) {
            lastSent = Math.max(lastSent, columns.sentNanos(i));
        }
        if (lastSent == RequestOutcome.ABSENT || lastSent - window.startNanos() < window.lengthNanos() / 2) {
            return Optional.empty();
        }
        double length = (double) (lastSent - window.startNanos()) / SLICES;
        double[] batches = new double[SLICES / BATCH];
        long[] arrivals = new long[1];
        columns.forEachEvent((nanos, tokens) -> {
            int slice = (int) ((nanos - window.startNanos()) / length);
            if (nanos >= window.startNanos() && slice < SLICES) {
                batches[slice / BATCH] += tokens;
                arrivals[0]++;
            }
        });
        return arrivals[0] < LEAST_ARRIVALS ? Optional.empty() : Optional.of(ofBatches(batches));
    }

    /// Judges a series of batch means.
    static SteadyState ofBatches(double[] batches) {
        int cut = startUp(batches);
        int n = batches.length - cut;
        double mean = Arrays.stream(batches, cut, batches.length).average().orElse(0);
        LineFit line = new LineFit();
        for (int i = 0; i < n; i++) {
            line.add(i - (n - 1) / 2.0, batches[cut + i] - mean);
        }
        double movement = mean == 0 ? 0 : line.slope() * n / mean;
        boolean steady = Math.abs(movement) <= DRIFT || !(line.pValue(n - 2) <= SIGNIFICANCE);
        return new SteadyState((double) cut / batches.length, movement, steady);
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
}
