package org.inferometer.report.charts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.inferometer.units.Seed;
import org.junit.jupiter.api.Test;

class M4DecimationTest {
    @Test
    void spikeOfOneSampleSurvives() {
        int n = 1_000_000;
        double[] x = new double[n];
        double[] y = new double[n];
        Arrays.setAll(x, i -> i);
        Arrays.setAll(y, i -> Math.sin(i / 1000.0));
        y[654_321] = 50;
        y[123_456] = -50;
        int[] kept = M4Decimation.indices(x, y, 0, n - 1, 620);
        assertThat(kept).contains(654_321, 123_456, 0, n - 1).hasSizeLessThanOrEqualTo(4 * 620);
    }

    @Test
    void fewPointsAreAllKept() {
        double[] x = {1, 2, 3};
        assertThat(M4Decimation.indices(x, new double[]{5, Double.NaN, 6}, 1, 3, 10)).containsExactly(0, 1, 2);
    }

    @Test
    void aGapBetweenColumnsStaysAGap() {
        double[] x = new double[1000];
        double[] y = new double[1000];
        Arrays.setAll(x, i -> i);
        Arrays.fill(y, 400, 600, Double.NaN);
        int[] kept = M4Decimation.indices(x, y, 0, 999, 10);
        double[] left = M4Decimation.at(y, kept);
        assertThat(Arrays.stream(left).filter(Double::isNaN).count()).isBetween(1L, 6L);
        assertThat(kept).contains(399, 600);
    }

    /// In every column the kept points have the same first, last, least and greatest value as all points.
    @Property(tries = 200)
    void everyColumnCoversTheSamePixels(@ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int columns,
            @ForAll @IntRange(min = 1, max = 3000) int n) {
        RandomGenerator random = new Seed(seed).generator();
        double[] x = random.doubles(n, 0, 100).sorted().toArray();
        double[] y = random.doubles(n, -5, 5).map(value -> value < -4.5 ? Double.NaN : value).toArray();
        int[] kept = M4Decimation.indices(x, y, 0, 100, columns);
        assertThat(kept).isSorted().doesNotHaveDuplicates();
        for (int column = 0; column < columns; column++) {
            int own = column;
            int[] all = java.util.stream.IntStream.range(0, n)
                    .filter(i -> columnOf(x[i], columns) == own && !Double.isNaN(y[i])).toArray();
            int[] left =
                    Arrays.stream(kept).filter(i -> columnOf(x[i], columns) == own && !Double.isNaN(y[i])).toArray();
            assertThat(summary(y, left)).isEqualTo(summary(y, all));
        }
    }

    private static int columnOf(double x, int columns) {
        return Math.clamp((long) (x / 100 * columns), 0, columns - 1);
    }

    private static String summary(double[] y, int[] places) {
        if (places.length == 0) {
            return "none";
        }
        var statistics = Arrays.stream(places).mapToDouble(i -> y[i]).summaryStatistics();
        return y[places[0]] + " " + y[places[places.length - 1]] + " " + statistics.getMin() + " "
                + statistics.getMax();
    }

    @Test
    void aHigherPointOutsideHidesNone() {
        double[] x = new double[10_000];
        double[] y = new double[x.length];
        Arrays.setAll(x, i -> i);
        y[99] = 1000;
        y[105] = 100;
        assertThat(M4Decimation.indices(x, y, 100, 9999, 10)).contains(99, 105);
    }
}
