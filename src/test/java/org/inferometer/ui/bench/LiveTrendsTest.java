package org.inferometer.ui.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LiveTrendsTest {
    private final LiveTrends trends = new LiveTrends(Set.of("rate"));

    private List<Double> after(double elapsedSeconds, double value) {
        trends.follow(elapsedSeconds, Map.of("rate", OptionalDouble.of(value)));
        return trends.of("rate").get();
    }

    @Test
    void eachSecondHasOneValue() {
        assertThat(after(0.2, 5)).containsExactly(5.0);
        assertThat(after(0.7, 6)).as("the same second").containsExactly(5.0);
        assertThat(after(1.1, 7)).containsExactly(5.0, 7.0);
        assertThat(after(3.0, 9)).as("one update was late").containsExactly(5.0, 7.0, 9.0, 9.0);
    }

    @Test
    void whatIsNotMeasuredIsAGap() {
        after(0, 5);
        trends.follow(1, Map.of());
        assertThat(after(4, 9)).containsExactly(5.0, Double.NaN, Double.NaN, Double.NaN, 9.0);
    }

    @Test
    void oneMinuteIsKept() {
        for (int second = 0; second < 70; second++) {
            after(second, second);
        }
        assertThat(trends.of("rate").get()).hasSize(60).startsWith(10.0).endsWith(69.0);
        assertThat(after(1000, 1)).isEqualTo(
                List.of(Collections.nCopies(59, Double.NaN), List.of(1.0)).stream().flatMap(List::stream).toList());
        trends.reset();
        assertThat(trends.of("rate").get()).isEmpty();
    }
}
