package org.inferometer.measurement.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.inferometer.units.Seed;
import org.junit.jupiter.api.Test;

class RadixSortTest {
    private static void assertSorted(double[] values) {
        double[] expected = values.clone();
        Arrays.sort(expected);
        double[] sorted = values.clone();
        RadixSort.sort(sorted);
        assertThat(sorted).isEqualTo(expected);
    }

    @Property(tries = 500)
    void radixSortEqualsComparisonSort(@ForAll double[] values) {
        assertSorted(values);
    }

    @Property(tries = 200)
    void orderIsStable(@ForAll @Size(max = 40) List<@IntRange(min = -3, max = 3) Integer> values) {
        double[] keys = values.stream().mapToDouble(value -> value * 1e100).toArray();
        int[] expected = IntStream.range(0, keys.length).boxed().sorted(Comparator.comparingDouble(i -> keys[i]))
                .mapToInt(Integer::intValue).toArray();
        assertThat(RadixSort.order(keys)).containsExactly(expected);
    }

    @Property(tries = 40)
    void wholeNumbersOfAnyRangeAreSorted(@ForAll long seed, @ForAll @IntRange(max = 63) int bits) {
        RandomGenerator random = new Seed(seed).generator();
        long least = random.nextLong(-1000, 1000);
        long[] values =
                random.longs(RadixSort.LEAST + 7L, 0, 1L << Math.min(62, bits)).map(each -> least + each).toArray();
        double[] expected = Arrays.stream(values).limit(RadixSort.LEAST + 3L).sorted().asDoubleStream().toArray();
        assertThat(RadixSort.ascending(values, RadixSort.LEAST + 3)).isEqualTo(expected);
    }

    @Test
    void signsZerosInfinitiesAndNansHaveTheirPlaces() {
        assertSorted(new double[]{0.0, -0.0, 1, -1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY,
                Double.MIN_VALUE, -5e-324});
        assertSorted(new double[0]);
    }

    @Test
    void distributionSortsAnySize() {
        RandomGenerator random = new Seed(3).generator();
        double[] values = random.longs(RadixSort.LEAST + 7L, -1000, 60_000_000_000L).asDoubleStream().toArray();
        assertSorted(values);
        double[] expected = values.clone();
        Arrays.sort(expected);
        Distribution distribution = Distribution.of(values);
        assertThat(distribution.percentile(0)).isEqualTo(expected[0]);
        assertThat(distribution.percentile(100)).isEqualTo(expected[expected.length - 1]);
    }
}
