package org.inferometer.measurement.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.inferometer.units.Seed;
import org.junit.jupiter.api.Test;

class RankedNumbersTest {
    @Property(tries = 300)
    void everyRankIsThatOfTheSortedNumbers(
            @ForAll @Size(min = 1, max = 200) List<@LongRange(min = -(1L << 52), max = 1L << 52) Long> drawn) {
        long[] numbers = drawn.stream().mapToLong(Long::longValue).toArray();
        long[] sorted = numbers.clone();
        Arrays.sort(sorted);
        RankedNumbers ranked = new RankedNumbers(numbers.clone());
        for (int rank = 0; rank + 1 < sorted.length; rank++) {
            assertThat(ranked.at(rank, 2)).containsExactly(sorted[rank], sorted[rank + 1]);
        }
        assertThat(ranked.at(0, sorted.length)).containsExactly(sorted);
    }

    private static void assertAlike(long[] nanos) {
        Distribution plain = Distribution.of(Arrays.stream(nanos).asDoubleStream().toArray());
        Distribution ranked = Distribution.takingNanos(Arrays.copyOf(nanos, nanos.length + 5), nanos.length);
        assertThat(ranked.n()).isEqualTo(plain.n());
        assertThat(ranked.mean()).isEqualTo(plain.mean());
        for (double percent : new double[]{0, 1, 5, 10, 50, 63.7, 90, 95, 99, 99.99, 100}) {
            assertThat(ranked.percentile(percent)).as("P" + percent).isEqualTo(plain.percentile(percent));
        }
    }

    @Test
    void durationsEqualSortedDoubles() {
        RandomGenerator random = new Seed(5).generator();
        int n = RadixSort.LEAST + 11;
        assertAlike(random.longs(n, 1_000_000, 50_000_000).toArray());
        assertAlike(random.longs(n, -1000, 1000).toArray());
        assertAlike(random.longs(n, 0, 1L << 61).toArray());
        assertAlike(LongStream.generate(() -> 7).limit(n).toArray());
        assertAlike(LongStream.concat(random.longs(n, 0, 100_000), LongStream.of(1L << 45, -(1L << 44))).toArray());
        assertAlike(LongStream.concat(random.longs(n, 0, 9), LongStream.of(Long.MIN_VALUE, Long.MAX_VALUE)).toArray());
    }

    @Test
    void decreasingFunctionKeepsTheOrder() {
        double[] rising = new Seed(6).generator().doubles(1000, 1, 1e9).toArray();
        Distribution falling = Distribution.of(rising).falling(each -> 1e9 / each);
        Distribution sorted = Distribution.of(Arrays.stream(rising).map(each -> 1e9 / each).toArray());
        assertThat(falling.mean()).isEqualTo(sorted.mean());
        assertThat(falling.percentile(5)).isEqualTo(sorted.percentile(5));
    }
}
