package org.inferometer.measurement.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.OptionalDouble;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.record.SloResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The rates of error of whole searches are in LoadSearchSimulationTest.
class SloDecisionTest {
    /// MLPerf LoadGen's early stopping at a 99th percentile: 299 requests without a miss suffice at 95 %, 473 with one.
    @ParameterizedTest
    @CsvSource({"0, 298, CANNOT_TELL, 299", "0, 299, SERVED, 0", "1, 472, CANNOT_TELL, 473", "1, 473, SERVED, 0",
            "30, 1000, NOT_SERVED, 0"})
    void boundsAreThoseOfEarlyStopping(int misses, long n, SloResult.Outcome outcome, long toTell) {
        SloResult result = new SloDecision(
                new ServiceObjective(OptionalDouble.of(100e6), OptionalDouble.empty(), OptionalDouble.empty()))
                .result(List.of(1 - (double) misses / n), n, 1);
        assertThat(result.outcome()).isEqualTo(outcome);
        assertThat((double) result.requestsToTell()).isCloseTo(toTell, within(toTell * 0.01));
    }

    @Test
    void loadsTriedShareTheError() {
        SloDecision decision = new SloDecision(
                new ServiceObjective(OptionalDouble.of(100e6), OptionalDouble.empty(), OptionalDouble.empty()));
        assertThat(decision.result(List.of(1.0), 400, 1).outcome()).isEqualTo(SloResult.Outcome.SERVED);
        assertThat(decision.result(List.of(1.0), 400, 5).outcome()).isEqualTo(SloResult.Outcome.CANNOT_TELL);
        assertThat(decision.result(List.of(1.0), 400, 5).requestsToTell()).isBetween(458L, 461L);
    }

    @Test
    void runsThatDifferAreClusters() {
        SloDecision decision = new SloDecision(
                new ServiceObjective(OptionalDouble.of(100e6), OptionalDouble.empty(), OptionalDouble.empty(), 0.9));
        assertThat(decision.result(List.of(0.95, 0.95, 0.95), 900, 1).outcome()).isEqualTo(SloResult.Outcome.SERVED);
        assertThat(decision.result(List.of(1.0, 0.85, 1.0), 900, 1).outcome()).isEqualTo(SloResult.Outcome.CANNOT_TELL);
    }
}
