package org.inferometer.measurement.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.random.RandomGenerator;
import org.inferometer.units.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CensoredDistributionTest {
    private static final int N = 1000;
    private static final int RUNS = Boolean.getBoolean("inferometer.endurance") ? 2000 : 300;

    @Test
    void withoutCensoringFiguresAreThoseOfAllValues() {
        double[] values = {5, 1, 4, 1, 9, 2.5};
        CensoredDistribution censored = CensoredDistribution.of(values, new double[0]);
        Distribution all = Distribution.of(values);
        assertThat(censored.n()).isEqualTo(all.n());
        assertThat(censored.mean().orElseThrow()).isCloseTo(all.mean(), within(1e-12));
        for (int percent = 0; percent <= 100; percent++) {
            assertThat(censored.percentile(percent).orElseThrow()).as("P" + percent).isCloseTo(all.percentile(percent),
                    within(1e-12));
        }
        assertThat(censored.upTo(4)).isCloseTo(4 / 6.0, within(1e-12));
        assertThat(censored.upTo(0.5)).isZero();
        assertThat(censored.upTo(9)).isEqualTo(1);
    }

    @Test
    void whatLiesBeyondTheLongestPatienceIsAbsent() {
        CensoredDistribution half = CensoredDistribution.of(new double[]{1, 2, 3}, new double[]{3, 3, 3});
        assertThat(half.mean()).isEmpty();
        assertThat(half.percentile(0)).hasValue(1);
        assertThat(half.percentile(95)).isEmpty();
        assertThat(half.upTo(10)).isEqualTo(0.5);
        assertThat(CensoredDistribution.of(new double[0], new double[]{1}).percentile(50)).isEmpty();
        assertThat(CensoredDistribution.of(new double[0], new double[0]).upTo(1)).isZero();
    }

    /// Latencies around 1 s; users leave after 2 s, or after a time of their own, so that a share of them sees nothing.
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.1, 0.3, 0.6})
    void percentilesAreThoseOfPatientUsersOrAbsent(double givenUp) {
        Seed seed = new Seed(8).part(Double.toString(givenUp));
        double[] truth = {1, Math.exp(0.5 * 1.2815516), Math.exp(0.5 * 1.6448536)};
        int[] percents = {50, 90, 95};
        double[] sum = new double[3];
        int[] present = new int[3];
        int left = 0;
        for (int run = 0; run < RUNS; run++) {
            CensoredDistribution drawn = drawn(seed.part(run).generator(), givenUp);
            left += N - drawn.observed();
            for (int i = 0; i < 3; i++) {
                OptionalDouble value = drawn.percentile(percents[i]);
                if (value.isPresent()) {
                    sum[i] += value.getAsDouble();
                    present[i]++;
                }
            }
        }
        assertThat((double) left / N / RUNS).isCloseTo(givenUp, within(0.02));
        for (int i = 0; i < 3; i++) {
            if (present[i] > RUNS / 2) {
                assertThat(sum[i] / present[i]).as("P" + percents[i]).isCloseTo(truth[i], within(0.03 * truth[i]));
            }
        }
    }

    /// Exponential patience of such a mean that the share gives up.
    private static CensoredDistribution drawn(RandomGenerator random, double givenUp) {
        double mean = givenUp == 0 ? Double.POSITIVE_INFINITY : givenUp == 0.1 ? 10.4 : givenUp == 0.3 ? 3.03 : 1.16;
        double[] observed = new double[N];
        double[] waited = new double[N];
        int seen = 0;
        int left = 0;
        for (int i = 0; i < N; i++) {
            double latency = Math.exp(0.5 * random.nextGaussian());
            double patience = -Math.log1p(-random.nextDouble()) * mean;
            if (latency <= patience) {
                observed[seen++] = latency;
            } else {
                waited[left++] = patience;
            }
        }
        return CensoredDistribution.of(Arrays.copyOf(observed, seen), Arrays.copyOf(waited, left));
    }
}
