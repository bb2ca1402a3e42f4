package org.inferometer.measurement.statistics;

import java.util.Comparator;
import java.util.stream.IntStream;

/// Holm's step-down correction (1979) for several comparisons judged together.
public final class Holm {
    private Holm() {}

    /// Corrected p-values in the order given: with k values ascending, each p(i) becomes the greatest (k − j + 1)·p(j) for j ≤ i, at
    /// most 1. Those at or below 0.05 are significant with an error over the whole family of at most 0.05.
    public static double[] corrected(double[] pValues) {
        int[] ascending = IntStream.range(0, pValues.length).boxed().sorted(Comparator.comparingDouble(i -> pValues[i]))
                .mapToInt(Integer::intValue).toArray();
        double[] corrected = new double[pValues.length];
        double greatest = 0;
        for (int rank = 0; rank < ascending.length; rank++) {
            greatest = Math.max(greatest, (ascending.length - rank) * pValues[ascending[rank]]);
            corrected[ascending[rank]] = Math.min(1, greatest);
        }
        return corrected;
    }
}
