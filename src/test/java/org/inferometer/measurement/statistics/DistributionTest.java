package org.inferometer.measurement.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DistributionTest {
    /// quantile(c(15, 20, 35, 40, 50), p, type = 7) of R; numpy.percentile gives the same.
    @ParameterizedTest
    @CsvSource({"0, 15", "5, 16", "30, 23", "40, 29", "50, 35", "95, 48", "99, 49.6", "100, 50"})
    void percentilesAreLinearBetweenRanks(double percent, double expected) {
        assertThat(Distribution.of(40, 15, 50, 20, 35).percentile(percent)).isCloseTo(expected, within(1e-12));
    }

    @Test
    void tenSamplesHaveTheirKnownP90() {
        assertThat(Distribution.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10).percentile(90)).isCloseTo(9.1, within(1e-12));
    }

    @Test
    void oneSampleIsEveryPercentile() {
        Distribution one = Distribution.of(7);
        assertThat(new double[]{one.mean(), one.percentile(0), one.percentile(99), one.percentile(100)})
                .containsOnly(7);
    }

    @ParameterizedTest
    @CsvSource({"50, 20", "90, 100", "95, 200", "99, 1000", "10, 100", "5, 200", "1, 1000"})
    void percentileNeedsTenSamplesBeyond(int percent, int least) {
        assertThat(Distribution.enough(least, percent)).isTrue();
        assertThat(Distribution.enough(least - 1, percent)).isFalse();
    }

    @Test
    void emptyDistributionHasNoFigures() {
        Distribution empty = Distribution.of();
        assertThat(empty.isEmpty()).isTrue();
        assertThatThrownBy(empty::mean).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> empty.percentile(50)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void percentBeyondHundredIsRefused() {
        assertThatThrownBy(() -> Distribution.of(1).percentile(101)).hasMessageContaining("101");
        assertThatThrownBy(() -> Distribution.of(1).percentile(Double.NaN)).hasMessageContaining("NaN");
    }

    @Test
    void takingUsesOnlyTheFirstSamples() {
        assertThat(Distribution.taking(new double[]{3, 1, 99}, 2).mean()).isEqualTo(2);
    }

    @Property(tries = 300)
    void percentilesGrowAndStayWithinTheSamples(@ForAll @Size(min = 1, max = 40) double[] samples,
            @ForAll @DoubleRange(max = 100) double a, @ForAll @DoubleRange(max = 100) double b) {
        double[] finite = Arrays.stream(samples).map(sample -> Math.clamp(sample, -1e12, 1e12)).toArray();
        Distribution distribution = Distribution.of(finite);
        double low = distribution.percentile(Math.min(a, b));
        double high = distribution.percentile(Math.max(a, b));
        assertThat(low).isLessThanOrEqualTo(high + 1e-3)
                .isGreaterThanOrEqualTo(Arrays.stream(finite).min().orElseThrow());
        assertThat(high).isLessThanOrEqualTo(Arrays.stream(finite).max().orElseThrow());
    }
}
