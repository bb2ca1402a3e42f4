package org.inferometer.measurement.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.inferometer.measurement.Outcomes;
import org.inferometer.measurement.RunWindow;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.units.Seed;
import org.junit.jupiter.api.Test;

/// The rule for steady state on series whose truth is known: 40 means of five slices, standard deviation of a slice 10 %.
class SteadyStateTest {
    private static final int BATCHES = 40;

    private static double[] series(RandomGenerator random, IntToDoubleFunction truth) {
        return IntStream.range(0, BATCHES)
                .mapToDouble(i -> truth.applyAsDouble(i) * (1 + 0.1 / Math.sqrt(5) * random.nextGaussian())).toArray();
    }

    private static double share(String name, IntToDoubleFunction truth, Predicate<SteadyState> holds) {
        Seed seed = new Seed(20_261_121).part(name);
        int tries = 2000;
        return IntStream.range(0, tries)
                .filter(i -> holds.test(SteadyState.ofBatches(series(seed.part(i).generator(), truth)))).count()
                / (double) tries;
    }

    @Test
    void noiseAloneIsSteady() {
        assertThat(share("noise", i -> 100, SteadyState::steady)).isGreaterThan(0.98);
    }

    @Test
    void startUpIsCutOffAndTheRestIsSteady() {
        IntToDoubleFunction ramp = i -> 100 * Math.min(1, (i + 1) / 8.0);
        assertThat(share("ramp", ramp, SteadyState::steady)).isGreaterThan(0.98);
        assertThat(share("ramp", ramp, state -> state.startUpShare() >= 5.0 / BATCHES && state.startUpShare() <= 0.5))
                .isGreaterThan(0.98);
    }

    @Test
    void growthByHalfIsFound() {
        assertThat(share("growth", i -> 100 + 50.0 * i / BATCHES, state -> !state.steady() && state.drift() > 0))
                .isGreaterThan(0.95);
    }

    @Test
    void dropInTheLastThirdIsFound() {
        assertThat(share("drop", i -> i < 28 ? 100 : 70, state -> !state.steady() && state.drift() < 0))
                .isGreaterThan(0.98);
    }

    @Test
    void smallMovementIsIgnored() {
        double[] growing = IntStream.range(0, BATCHES).mapToDouble(i -> 1000 + i).toArray();
        SteadyState state = SteadyState.ofBatches(growing);
        assertThat(state.steady()).isTrue();
        assertThat(state.drift()).isCloseTo(0.02, within(0.001));
    }

    @Test
    void steadyStateNeedsEnoughOutput() {
        List<RequestOutcome> burst = new ArrayList<>();
        List<RequestOutcome> small = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            burst.add(Outcomes.of(i, false, 1, 1, 0, 0, 0, 0, RequestStatus.OK, 10 * i + 10));
        }
        for (int i = 0; i < 999; i++) {
            small.add(Outcomes.ok(i, 10L * i, 10L * i));
        }
        assertThat(SteadyState.of(burst, RunWindow.of(burst).orElseThrow())).isEmpty();
        assertThat(SteadyState.of(small, RunWindow.of(small).orElseThrow())).isEmpty();
        small.add(Outcomes.ok(999, 5, 6));
        small.add(Outcomes.ok(1000, 5, 6));
        assertThat(SteadyState.of(small, RunWindow.of(small).orElseThrow()).orElseThrow().steady()).isTrue();
    }
}
