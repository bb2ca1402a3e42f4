package org.inferometer.measurement.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.measurement.Outcomes;
import org.inferometer.measurement.statistics.MissClusters;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.SloResult;
import org.inferometer.record.Verdict;
import org.inferometer.record.Verdict.Condition;
import org.inferometer.record.Verdict.Requirement;
import org.inferometer.record.Verdict.State;
import org.inferometer.results.SampleRecords;
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

    /// Four and more slow requests in a row, then more of them: each miss lowers the bound, and none makes it fall off.
    @Test
    void theBoundFallsEvenlyWithTheMisses() {
        SloDecision decision = new SloDecision(
                new ServiceObjective(OptionalDouble.of(100e6), OptionalDouble.empty(), OptionalDouble.empty(), 0.9));
        double before = 1;
        for (int misses = 0; misses <= 12; misses++) {
            double[] shares = new double[360];
            for (int i = 0; i < shares.length; i++) {
                shares[i] = 0.3 + 0.3 * ((i * 37) % 101) / 101;
            }
            for (int miss = 0; miss < misses; miss++) {
                shares[100 + 2 * miss] = 1.5;
            }
            SloResult result = decision.result(List.of(1 - misses / 360.0), 360, MissClusters.of(List.of(shares)), 1);
            assertThat(result.lowerShare()).as(misses + " misses").isLessThan(before).isGreaterThan(before - 0.12);
            before = result.lowerShare();
        }
    }

    /// The load generator was late: what is within the limits and what is not says nothing of the target.
    @ParameterizedTest
    @CsvSource({"PUNCTUAL_SENDS, 1000, CANNOT_TELL", "PUNCTUAL_SENDS, 0, CANNOT_TELL",
            "GENERATOR_CEILING, 0, CANNOT_TELL", "SERVED_AS_ASKED, 1000, NOT_SERVED", "NO_FAILURES, 1000, SERVED",
            "OUTPUT_LENGTHS, 1000, CANNOT_TELL", "OUTPUT_LENGTHS, 0, NOT_SERVED"})
    void aFaultOfTheGeneratorIsNoAnswer(Requirement broken, int good, SloResult.Outcome outcome) {
        List<RequestOutcome> requests = IntStream.range(0, 1000)
                .mapToObj(i -> Outcomes.ok(i, i * 10L, i * 10L + (i < good ? 10 : 500))).toList();
        Verdict verdict =
                new Verdict(Verdict.Grade.INVALID, List.of(new Condition(broken, "it holds", State.BROKEN, "no", "")));
        RunManifest manifest = SampleRecords
                .manifest(SampleRecords.plan(SampleRecords.spec(1), 0, 0, Path.of("x")), RunStatus.COMPLETE)
                .ended(new RunManifest.RunOutcome(RunStatus.COMPLETE, "", 0, verdict));
        RunRecord run = new RunRecord("run-000", manifest,
                new RunObservations(requests, List.of(), List.of(), new RunObservations.Setup(0, 0, 0, 0)), List.of());
        SloDecision decision = new SloDecision(
                new ServiceObjective(OptionalDouble.of(100e6), OptionalDouble.empty(), OptionalDouble.empty(), 0.9));
        assertThat(decision.result(List.of(run), 1).outcome()).isEqualTo(outcome);
    }
}
