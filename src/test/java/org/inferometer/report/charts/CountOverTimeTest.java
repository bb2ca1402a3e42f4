package org.inferometer.report.charts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.inferometer.units.Seed;
import org.junit.jupiter.api.Test;

class CountOverTimeTest {
    private static final int STRETCH_NANOS = 40;

    @Test
    void fewPointsStayAsTheyAre() {
        CountOverTime line = new CountOverTime(1_000_000_000, 2_000_000_000, 4_000_000_000L, 3);
        line.add(2_000_000_000, 1);
        line.add(2_000_000_000, 2);
        line.add(4_000_000_000L, 0);
        assertThat(line.line().x()).containsExactly(1, 1, 3);
        assertThat(line.line().y()).containsExactly(1, 2, 0);
    }

    /// Of each stretch the first, the least, the greatest and the last count.
    @Test
    void manyPointsKeepTheRangeOfEachStretch() {
        RandomGenerator random = new Seed(7).generator();
        int points = STRETCH_NANOS * CountOverTime.STRETCHES;
        CountOverTime line = new CountOverTime(0, 0, points, points);
        int[] counts = random.ints(points, 0, 1_000).toArray();
        for (int i = 0; i < points; i++) {
            line.add(i, counts[i]);
        }
        TimeSeries kept = line.line();
        assertThat(kept.x()).isSorted().hasSizeLessThanOrEqualTo(CountOverTime.MOST_POINTS);
        double[] least = new double[CountOverTime.STRETCHES];
        double[] greatest = new double[CountOverTime.STRETCHES];
        double[] first = new double[CountOverTime.STRETCHES];
        double[] last = new double[CountOverTime.STRETCHES];
        Arrays.fill(least, Double.MAX_VALUE);
        Arrays.fill(first, -1);
        for (int i = 0; i < kept.x().length; i++) {
            int nanos = (int) Math.round(kept.x()[i] * 1e9);
            assertThat(kept.y()[i]).isEqualTo(counts[nanos]);
            int stretch = nanos / STRETCH_NANOS;
            least[stretch] = Math.min(least[stretch], kept.y()[i]);
            greatest[stretch] = Math.max(greatest[stretch], kept.y()[i]);
            first[stretch] = first[stretch] < 0 ? kept.y()[i] : first[stretch];
            last[stretch] = kept.y()[i];
        }
        for (int stretch = 0; stretch < CountOverTime.STRETCHES; stretch++) {
            int from = stretch * STRETCH_NANOS;
            int[] own = Arrays.copyOfRange(counts, from, from + STRETCH_NANOS);
            assertThat(new double[]{first[stretch], least[stretch], greatest[stretch], last[stretch]}).containsExactly(
                    own[0], Arrays.stream(own).min().orElseThrow(), Arrays.stream(own).max().orElseThrow(),
                    own[STRETCH_NANOS - 1]);
        }
    }
}
