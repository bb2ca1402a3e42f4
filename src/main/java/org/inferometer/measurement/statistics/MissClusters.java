package org.inferometer.measurement.statistics;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.BetaDistribution;

/// How far requests that miss a limit come in clusters: one stall or one long queue makes many.
///
/// Without enough misses, the slowest requests stand for them: the slowest tenth, and those above a tenth of the limit if these are fewer. Of
/// the slowest tenth the extremal index is the intervals estimator (Ferro and Segers 2003, J. R. Statist. Soc. B 65), its lower bound at one
/// standard error (Clopper and Pearson 1934); of the others it is their clusters, five requests apart, by as many as independent requests
/// would form. The smaller one counts.
///
/// @param index clusters a miss (extremal index), at most 1; 1 for independent requests
/// @param least the same, all by lower bounds
/// @param correlated variance of the number of slowest requests by that of independent ones, from their autocorrelations as far as neighbouring
///     pairs of them are positive (Geyer 1992, Statist. Sci. 7); at least 1
public record MissClusters(double index, double least, double correlated) {
    public static final MissClusters INDEPENDENT = new MissClusters(1, 1, 1);

    private static final int LONGEST_LAG = 100;

    private static final double SLOWEST = 0.1;
    private static final int LEAST_SLOWEST = 10;
    private static final double NEAR = 0.1;
    private static final int GAP = 5;
    private static final double ONE_SIGMA = 0.16;
    private static final double MEDIAN = 0.5;

    /// @param runs of each run, the latency of each request as a share of its limit, in the order of intended send times
    public static MissClusters of(List<double[]> runs) {
        double[] shares = runs.stream().flatMapToDouble(Arrays::stream).toArray();
        if (shares.length <= LEAST_SLOWEST) {
            return INDEPENDENT;
        }
        double[] sorted = shares.clone();
        Arrays.sort(sorted);
        int slowest = Math.max(LEAST_SLOWEST, (int) (SLOWEST * shares.length));
        double level = Math.min(1, sorted[shares.length - 1 - slowest]);
        int[] above = IntStream.range(0, shares.length).filter(i -> shares[i] > level).toArray();
        int[] rarer = 2 * above.length <= shares.length ? above
                : IntStream.range(0, shares.length).filter(i -> shares[i] <= level).toArray();
        int[] near = IntStream.range(0, shares.length).filter(i -> shares[i] > Math.max(level, NEAR)).toArray();
        double intervals = bound(ofIntervals(rarer, shares.length), rarer.length, ONE_SIGMA);
        double clusters = ofClusters(near, shares.length);
        double correlated = correlated(runs, level, (double) above.length / shares.length);
        return clusters == 1 ? new MissClusters(intervals, intervals, correlated)
                : new MissClusters(Math.min(intervals, bound(clusters, near.length, MEDIAN)),
                        Math.min(intervals, bound(clusters, near.length, ONE_SIGMA)), correlated);
    }

    /// Variance of a number of misses by that of independent ones, for clusters of geometric size and the least index.
    public double varianceInflation() {
        return Math.max(correlated, (2 - least) / least);
    }

    /// Requests for one that counts, where none missed: no cluster of misses came.
    public double requestsPerCluster() {
        return Math.max(correlated, 1 / index);
    }

    /// @param share of the requests above the level
    private static double correlated(List<double[]> runs, double level, double share) {
        int shortest = runs.stream().mapToInt(run -> run.length).min().orElse(0);
        int lags = Math.min(shortest / 4, LONGEST_LAG);
        double sum = 0;
        for (int lag = 1; lag + 1 <= lags; lag += 2) {
            double pair = correlation(runs, level, share, lag) + correlation(runs, level, share, lag + 1);
            if (pair <= 0) {
                break;
            }
            sum += pair;
        }
        return 1 + 2 * sum;
    }

    private static double correlation(List<double[]> runs, double level, double share, int lag) {
        double products = 0;
        long pairs = 0;
        for (double[] run : runs) {
            for (int i = lag; i < run.length; i++) {
                products += ((run[i] > level ? 1 : 0) - share) * ((run[i - lag] > level ? 1 : 0) - share);
            }
            pairs += Math.max(0, run.length - lag);
        }
        return share <= 0 || share >= 1 ? 0 : products / pairs / (share * (1 - share));
    }

    /// @param n requests; they count as a circle
    private static double ofIntervals(int[] positions, int n) {
        int count = positions.length;
        if (count < 2) {
            return 1;
        }
        double sum = 0;
        double products = 0;
        for (int i = 0; i < count; i++) {
            double gap = i + 1 < count ? positions[i + 1] - positions[i] : positions[0] + n - positions[i];
            sum += gap - 1;
            products += (gap - 1) * (gap - 2);
        }
        return products <= 0 ? 1 : Math.min(1, 2 * sum * sum / (count * products));
    }

    private static double ofClusters(int[] positions, int n) {
        int count = positions.length;
        if (count < 2) {
            return 1;
        }
        long clusters = 1 + IntStream.range(1, count).filter(i -> positions[i] - positions[i - 1] > GAP).count();
        double byChance = Math.pow(1 - (double) count / n, GAP);
        return Math.min(1, clusters / (count * byChance));
    }

    private static double bound(double index, int count, double probability) {
        double clusters = index * count;
        return count < 2 ? 1 : Math.min(index,
                BetaDistribution.of(clusters, count - clusters + 1).inverseCumulativeProbability(probability));
    }
}
