package org.inferometer.measurement.statistics;

import java.util.List;
import java.util.Optional;
import org.apache.commons.statistics.distribution.BetaDistribution;

/// How much the requests of some runs tell of the tail of their system, as requests of one queue share their fate.
///
/// Requests are counted by the variance of the shares above a level, over the blocks of 1/1, 1/2, 1/4, … of each run, by that of independent
/// requests: the largest ratio counts, at the percentile and at the slowest tenth. Few blocks tell little about it: as in service level
/// objectives, what it is above 1 counts 1 + 6/√(requests / ratio) times.
///
/// @param independent how many independent requests all of them count as
/// @param runs number of runs
public record DependentTail(double independent, int runs) {
    /// Chosen by simulation, as that of service level objectives.
    private static final double CAUTION = 6;
    /// Runs start with an empty system. In a shorter run the start moves its percentiles.
    private static final int LEAST_OF_A_RUN = 10;
    private static final int SHORTEST_BLOCK = 4;
    /// Of a run: dependence reaches over many requests.
    private static final int MOST_PARTS = 1 << 12;
    private static final int STEPS = 24;

    /// The share of requests above the ends of an interval of a percentile.
    public record Shares(double aboveLow, double aboveHigh) {}

    /// @param n requests of all runs
    /// @param inflation the largest of [#inflation] at the levels that matter
    public static DependentTail of(long n, int runs, double inflation) {
        return new DependentTail(n / (1 + (inflation - 1) * (1 + CAUTION / Math.sqrt(n / inflation))), runs);
    }

    /// Whether the runs are long enough for their start not to move percentiles.
    public boolean isLong() {
        return independent >= (double) LEAST_OF_A_RUN * runs;
    }

    /// The largest and the smallest share above a value that fit a percentile; empty where even no request above it would.
    ///
    /// @param above share of the system above the percentile
    /// @param error probability that the interval is wrong
    public Optional<Shares> shares(double above, double error) {
        if (Math.pow(1 - above, independent) >= error / 2) {
            return Optional.empty();
        }
        double least = 0;
        double most = above;
        double high = 1;
        double low = above;
        for (int step = 0; step < STEPS; step++) {
            double fewer = (least + most) / 2;
            if (ofFewer(fewer, above) > 1 - error / 2) {
                least = fewer;
            } else {
                most = fewer;
            }
            double more = (low + high) / 2;
            if (ofMore(more, above) > error / 2) {
                low = more;
            } else {
                high = more;
            }
        }
        return Optional.of(new Shares(high, most));
    }

    /// Probability of more requests above than a share.
    private double ofFewer(double share, double above) {
        return BetaDistribution.of(share * independent + 1, independent - share * independent)
                .cumulativeProbability(above);
    }

    /// Probability of at least as many requests above as a share.
    private double ofMore(double share, double above) {
        return BetaDistribution.of(share * independent, independent - share * independent + 1)
                .cumulativeProbability(above);
    }

    /// The variance of the number of requests above a level by that of independent ones, over the blocks for which it is largest; at least 1.
    ///
    /// @param runs the latency of each request, in the order of intended send times
    public static double inflation(List<double[]> runs, double level) {
        double n = 0;
        double above = 0;
        for (double[] run : runs) {
            n += run.length;
            above += count(run, level, 0, run.length);
        }
        double share = above / n;
        double most = 1;
        int[][] counts = new int[runs.size()][];
        for (int parts = MOST_PARTS; parts >= 1 && share > 0 && share < 1; parts /= 2) {
            double squares = 0;
            int blocks = 0;
            for (int r = 0; r < counts.length; r++) {
                double[] run = runs.get(r);
                if (run.length / parts >= SHORTEST_BLOCK || parts == 1) {
                    counts[r] = counts[r] == null ? counts(run, level, parts) : halved(counts[r]);
                    squares += squares(counts[r], run.length, share);
                    blocks += parts;
                }
            }
            most = blocks < 2 ? most : Math.max(most, squares / (blocks - 1) / (share * (1 - share)));
        }
        return most;
    }

    /// Squared differences to the expected numbers, each by the length of its block.
    private static double squares(int[] counts, int length, double share) {
        double squares = 0;
        for (int part = 0; part < counts.length; part++) {
            int size = end(length, part + 1, counts.length) - end(length, part, counts.length);
            double excess = counts[part] - share * size;
            squares += excess * excess / size;
        }
        return squares;
    }

    private static int[] counts(double[] run, double level, int parts) {
        int[] counts = new int[parts];
        for (int part = 0; part < parts; part++) {
            counts[part] = count(run, level, end(run.length, part, parts), end(run.length, part + 1, parts));
        }
        return counts;
    }

    private static int[] halved(int[] counts) {
        int[] pairs = new int[counts.length / 2];
        for (int i = 0; i < pairs.length; i++) {
            pairs[i] = counts[2 * i] + counts[2 * i + 1];
        }
        return pairs;
    }

    private static int end(int length, int part, int parts) {
        return (int) ((long) length * part / parts);
    }

    private static int count(double[] run, double level, int from, int to) {
        int count = 0;
        for (int i = from; i < to; i++) {
            count += run[i] > level ? 1 : 0;
        }
        return count;
    }
}
