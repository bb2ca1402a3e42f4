package org.inferometer.measurement.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.measurement.statistics.PairedEquivalence.Outcome;
import org.junit.jupiter.api.Test;

class PairedEquivalenceTest {
    private static PairedEquivalence of(double margin, double... percents) {
        List<Double> base = Stream.generate(() -> 200.0).limit(percents.length).toList();
        return PairedEquivalence.of(base,
                Arrays.stream(percents).mapToObj(percent -> 200 * Math.exp(percent / 100)).toList(), margin);
    }

    @Test
    void intervalIsThatOfStudentAtNinetyPercent() {
        // Mean 0.2, standard deviation 0.1 of four pairs: t(0.95; 3) = 2.3534, divided by the root of 4.
        PairedEquivalence pairs = of(0.01, 0.1, 0.15, 0.25, 0.3);
        assertThat(pairs.pairs()).isEqualTo(4);
        assertThat(100 * pairs.mean()).isCloseTo(0.2, within(1e-9));
        assertThat(100 * pairs.halfWidth()).isCloseTo(2.35336 * 0.0912871 / 2, within(1e-5));
    }

    @Test
    void noisyPairsAreUndecidedAndNeverEquivalent() {
        assertThat(of(0.01, 0.1, 0.15, 0.25, 0.3).outcome()).isEqualTo(Outcome.EQUIVALENT);
        assertThat(of(0.003, 0.1, 0.15, 0.25, 0.3).outcome()).isEqualTo(Outcome.UNDECIDED);
        assertThat(of(0.01, -5, 5, -4, 4).outcome()).isEqualTo(Outcome.UNDECIDED);
        assertThat(of(0.01, -5.0, -5.1, -4.9).outcome()).isEqualTo(Outcome.DIFFERENT);
        assertThat(of(0.01, 5.0, 5.0, 5.0).outcome()).isEqualTo(Outcome.DIFFERENT);
        assertThatIllegalArgumentException().isThrownBy(() -> of(0.01, 1));
    }
}
