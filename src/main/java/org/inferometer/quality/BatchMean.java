package org.inferometer.quality;

import java.util.Arrays;
import java.util.OptionalDouble;
import org.apache.commons.statistics.distribution.TDistribution;

/// A mean over neighbouring tokens, which depend on each other: its interval comes from the means of 20 batches in a row.
///
/// Source: the method of batch means (Law, Simulation Modeling and Analysis, chapter 9).
///
/// @param halfWidth of the 95 % interval; empty with fewer than 200 values
record BatchMean(double mean, OptionalDouble halfWidth) {
    private static final int BATCHES = 20;
    private static final int LEAST_VALUES = 10 * BATCHES;
    private static final double TAIL = 0.025;

    static BatchMean of(double[] values) {
        double mean = Arrays.stream(values).average().orElse(Double.NaN);
        if (values.length < LEAST_VALUES) {
            return new BatchMean(mean, OptionalDouble.empty());
        }
        double[] means = new double[BATCHES];
        for (int i = 0; i < BATCHES; i++) {
            int from = (int) ((long) values.length * i / BATCHES);
            int to = (int) ((long) values.length * (i + 1) / BATCHES);
            means[i] = Arrays.stream(values, from, to).average().orElseThrow();
        }
        double centre = Arrays.stream(means).average().orElseThrow();
        double variance = Arrays.stream(means).map(each -> (each - centre) * (each - centre)).sum() / (BATCHES - 1);
        return new BatchMean(mean, OptionalDouble
                .of(TDistribution.of(BATCHES - 1).inverseSurvivalProbability(TAIL) * Math.sqrt(variance / BATCHES)));
    }
}
