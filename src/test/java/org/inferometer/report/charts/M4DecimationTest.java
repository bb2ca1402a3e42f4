package org.inferometer.report.charts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
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
        int[] kept = indices(x, y, 0, n - 1, 620);
        assertThat(kept).contains(654_321, 123_456, 0, n - 1).hasSizeLessThanOrEqualTo(4 * 620);
    }

    @Test
    void fewPointsAreAllKept() {
        double[] x = {1, 2, 3};
        assertThat(indices(x, new double[]{5, Double.NaN, 6}, 1, 3, 10)).containsExactly(0, 1, 2);
    }

    @Test
    void aGapBetweenColumnsStaysAGap() {
        double[] x = new double[1000];
        double[] y = new double[1000];
        Arrays.setAll(x, i -> i);
        Arrays.fill(y, 400, 600, Double.NaN);
        int[] kept = indices(x, y, 0, 999, 10);
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
        int[] kept = indices(x, y, 0, 100, columns);
        assertThat(kept).isSorted().doesNotHaveDuplicates();
        for (int column = 0; column < columns; column++) {
            int own = column;
            int[] all =
                    IntStream.range(0, n).filter(i -> columnOf(x[i], columns) == own && !Double.isNaN(y[i])).toArray();
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
        assertThat(indices(x, y, 100, 9999, 10)).contains(99, 105);
    }

    @Property(tries = 300)
    void blocksKeepWhatAllPointsKeep(@ForAll @IntRange(min = 1, max = 5000) int n,
            @ForAll @IntRange(min = 1, max = 300) int columns, @ForAll int seed, @ForAll boolean logarithmic) {
        RandomGenerator random = new Seed(seed).generator();
        double[] x = random.doubles(n).map(each -> 1 + Math.floor(each * 1000) / 10).sorted().toArray();
        double[] y = new double[n];
        boolean gaps = random.nextBoolean();
        boolean gap = false;
        for (int i = 0; i < n; i++) {
            gap = gaps && (random.nextInt(40) == 0 ? !gap : gap);
            y[i] = gap ? Double.NaN : random.nextInt(30);
        }
        double lower = 1 + random.nextDouble() * 60;
        double upper = lower + random.nextDouble() * 50;
        int from = random.nextInt(n);
        int to = from + random.nextInt(n - from + 1);
        double[] places = Arrays.stream(x, from, to).map(value -> logarithmic ? Math.log(value) : value).toArray();
        int[] wanted =
                Arrays.stream(readingAll(places, Arrays.copyOfRange(y, from, to), logarithmic ? Math.log(lower) : lower,
                        logarithmic ? Math.log(upper) : upper, columns)).map(i -> from + i).toArray();
        assertThat(new M4Decimation(x, y).indices(from, to, lower, upper, logarithmic, columns)).isEqualTo(wanted);
    }

    private static int[] readingAll(double[] x, double[] y, double lower, double upper, int columns) {
        if (x.length <= 2 * columns || !(upper > lower)) {
            return IntStream.range(0, x.length).toArray();
        }
        BitSet kept = new BitSet(x.length);
        Map<Integer, List<Integer>> ofColumn = new TreeMap<>();
        for (int i = 0; i < x.length; i++) {
            int column = x[i] < lower ? -1 : x[i] > upper ? columns
                    : Math.clamp((long) ((x[i] - lower) / (upper - lower) * columns), 0, columns - 1);
            ofColumn.computeIfAbsent(column, own -> new ArrayList<>()).add(i);
        }
        for (List<Integer> all : ofColumn.values()) {
            List<Integer> known = all.stream().filter(i -> !Double.isNaN(y[i])).toList();
            if (known.isEmpty()) {
                kept.set(all.getFirst());
                continue;
            }
            kept.set(Math.max(all.getFirst(), known.getFirst() - 1));
            kept.set(known.getFirst());
            kept.set(known.stream().min(Comparator.comparingDouble(i -> y[i])).orElseThrow());
            kept.set(known.stream().reduce((one, next) -> y[next] > y[one] ? next : one).orElseThrow());
            kept.set(known.getLast());
            kept.set(Math.min(all.getLast(), known.getLast() + 1));
        }
        return kept.stream().toArray();
    }

    private static int[] indices(double[] x, double[] y, double lower, double upper, int columns) {
        return M4Decimation.indices(x, List.of(y), lower, upper, columns);
    }
}
