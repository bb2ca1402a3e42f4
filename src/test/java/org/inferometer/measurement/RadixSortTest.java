package org.inferometer.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.inferometer.units.Seed;
import org.junit.jupiter.api.Test;

class RadixSortTest {
    private static void assertSorted(double[] values) {
        double[] expected = values.clone();
        Arrays.sort(expected);
        double[] sorted = values.clone();
        RadixSort.sort(sorted);
        assertThat(sorted).containsExactly(expected);
    }

    @Property(tries = 500)
    void radixSortEqualsComparisonSort(@ForAll double[] values) {
        assertSorted(values);
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
