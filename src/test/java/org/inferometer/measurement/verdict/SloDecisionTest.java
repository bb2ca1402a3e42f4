package org.inferometer.measurement.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.measurement.Outcomes;
import org.inferometer.measurement.statistics.MissClusters;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
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
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The rates of error of whole searches are in LoadSearchSimulationTest.
class SloDecisionTest {
    private static final int SIMULATED = 400;

    /// MLPerf LoadGen's early stopping at a 99th percentile: 299 requests without a miss suffice at 95 %, 473 with one.
    @ParameterizedTest
    @CsvSource({"0, 298, CANNOT_TELL, 299", "0, 299, SERVED_IN_ITS_RUNS, 0", "1, 472, CANNOT_TELL, 473",
            "1, 473, SERVED_IN_ITS_RUNS, 0", "30, 1000, NOT_SERVED, 0"})
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
        assertThat(decision.result(List.of(1.0), 400, 1).isServed()).isTrue();
        assertThat(decision.result(List.of(1.0), 400, 5).outcome()).isEqualTo(SloResult.Outcome.CANNOT_TELL);
        assertThat(decision.result(List.of(1.0), 400, 5).requestsToTell()).isBetween(458L, 461L);
    }

    @Test
    void runsThatDifferAreClusters() {
        SloDecision decision = new SloDecision(
                new ServiceObjective(OptionalDouble.of(100e6), OptionalDouble.empty(), OptionalDouble.empty(), 0.9));
        assertThat(decision.result(List.of(0.95, 0.95, 0.95), 900, 1).isServed()).isTrue();
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

    /// Below the goal in truth: one run in five misses half its requests, or halts take 30 requests on average. 5 % and the error of simulation.
    @ParameterizedTest
    @CsvSource({"3, 330", "5, 1000", "14, 100", "20, 330"})
    void rarelyServedWithBadRunsOrLongHalts(int runs, int requests) {
        Random random = new Random(runs);
        SloDecision decision = new SloDecision(
                new ServiceObjective(OptionalDouble.of(100e6), OptionalDouble.empty(), OptionalDouble.empty(), 0.9));
        assertThat(servedOf(SIMULATED, decision, runs, () -> badRunInFive(random, requests))).isLessThan(0.08);
        assertThat(servedOf(SIMULATED, decision, runs, () -> halts(random, requests))).isLessThan(0.08);
        assertThat(servedOf(20, decision, runs, () -> new double[requests])).isEqualTo(runs < 14 ? 0 : 1);
    }

    @Test
    void moreLoadsTakeMoreRunsAndRequests() {
        SloDecision decision = new SloDecision(
                new ServiceObjective(OptionalDouble.of(100e6), OptionalDouble.empty(), OptionalDouble.empty(), 0.9));
        assertThat(decision.seeing(0.05)).isEqualTo(new SloDecision.Seeing(14, 853));
        assertThat(decision.seeing(0.01)).isEqualTo(new SloDecision.Seeing(21, 1312));
    }

    /// The share of simulated loads that are called served.
    private static double servedOf(int loads, SloDecision decision, int runs, Supplier<double[]> run) {
        return IntStream.range(0, loads).filter(i -> {
            List<double[]> all = Stream.generate(run).limit(runs).toList();
            List<Double> shares = all.stream()
                    .map(each -> Arrays.stream(each).filter(x -> x <= 1).count() / (double) each.length).toList();
            return decision.result(shares, (long) runs * all.getFirst().length, MissClusters.of(all), 1)
                    .outcome() == SloResult.Outcome.SERVED;
        }).count() / (double) loads;
    }

    private static double[] badRunInFive(Random random, int requests) {
        boolean bad = random.nextDouble() < 0.2;
        return DoubleStream.generate(() -> bad && random.nextDouble() < 0.52 ? 1.5 : 0.1).limit(requests).toArray();
    }

    private static double[] halts(Random random, int requests) {
        double[] shares = new double[requests];
        int left = random.nextDouble() < 0.104 ? 30 : 0;
        for (int i = 0; i < requests; i++) {
            left = left > 0 ? left - 1
                    : random.nextDouble() < 0.00385 ? (int) Math.ceil(-30 * Math.log1p(-random.nextDouble()))
                    : 0;
            shares[i] = left > 0 ? 1.5 : 0.1;
        }
        return shares;
    }

    /// The load generator was late: what is within the limits and what is not says nothing of the target.
    @ParameterizedTest
    @CsvSource({"PUNCTUAL_SENDS, 1000, CANNOT_TELL", "PUNCTUAL_SENDS, 0, CANNOT_TELL",
            "GENERATOR_CEILING, 0, CANNOT_TELL", "SERVED_AS_ASKED, 1000, NOT_SERVED",
            "NO_FAILURES, 1000, SERVED_IN_ITS_RUNS", "OUTPUT_LENGTHS, 1000, CANNOT_TELL",
            "OUTPUT_LENGTHS, 0, NOT_SERVED"})
    void aFaultOfTheGeneratorIsNoAnswer(Requirement broken, int good, SloResult.Outcome outcome) {
        List<RequestOutcome> requests = IntStream.range(0, 1000)
                .mapToObj(i -> Outcomes.ok(i, i * 10L, i * 10L + (i < good ? 10 : 500))).toList();
        Verdict verdict =
                new Verdict(Verdict.Grade.INVALID, List.of(new Condition(broken, "it holds", State.BROKEN, "no", "")));
        RunRecord run = record(requests, verdict);
        SloDecision decision = new SloDecision(
                new ServiceObjective(OptionalDouble.of(100e6), OptionalDouble.empty(), OptionalDouble.empty(), 0.9));
        assertThat(decision.result(List.of(run), 1).outcome()).isEqualTo(outcome);
    }

    private static RunRecord record(List<RequestOutcome> requests, Verdict verdict) {
        RunManifest manifest = SampleRecords
                .manifest(SampleRecords.plan(SampleRecords.spec(1), 0, 0, Path.of("x")), RunStatus.COMPLETE)
                .ended(new RunManifest.RunOutcome(RunStatus.COMPLETE, "", 0, verdict));
        return new RunRecord("run-000", manifest,
                new RunObservations(requests, List.of(), List.of(), new RunObservations.Setup(0, 0, 0, 0)), List.of());
    }

    /// Half of the users left before the limit, and nobody waited longer: they may all have been served in time, or none.
    @ParameterizedTest
    @CsvSource({"500, CANNOT_TELL", "50, CANNOT_TELL", "1000, SERVED_IN_ITS_RUNS"})
    void usersThatLeaveTooEarlyDecideNothing(int answered, SloResult.Outcome outcome) {
        List<RequestOutcome> requests = IntStream.range(0, 1000)
                .mapToObj(i -> i * 7 % 1000 < answered ? Outcomes.ok(i, i * 10L, i * 10L + 10)
                        : new RequestOutcome(new RequestId(i), false, 10, 4, i * 10 * Outcomes.MS, i * 10 * Outcomes.MS,
                                RequestOutcome.ABSENT, RequestOutcome.ABSENT, (i * 10L + 50) * Outcomes.MS,
                                RequestStatus.GAVE_UP, "", new long[0]))
                .toList();
        SloDecision decision = new SloDecision(
                new ServiceObjective(OptionalDouble.of(100e6), OptionalDouble.empty(), OptionalDouble.empty(), 0.9));
        assertThat(decision.result(List.of(record(requests, new Verdict(Verdict.Grade.VALID, List.of()))), 1).outcome())
                .isEqualTo(outcome);
    }

    /// Five of 1,080 requests missed, all in the long run: the mean of the shares of five runs would hide four of them.
    @Test
    void shortRunsMakeAShareLessCertain() {
        SloDecision decision = new SloDecision(
                new ServiceObjective(OptionalDouble.of(100e6), OptionalDouble.empty(), OptionalDouble.empty(), 0.99));
        List<RunRecord> runs =
                IntStream
                        .of(1000, 20, 20, 20,
                                20)
                        .mapToObj(n -> record(IntStream.range(0, n)
                                .mapToObj(i -> Outcomes.ok(i, i * 10L, i * 10L + (i % 200 == 100 ? 500 : 10))).toList(),
                                new Verdict(Verdict.Grade.VALID, List.of())))
                        .toList();
        SloResult result = decision.result(runs, 1);
        assertThat(result.outcome()).isEqualTo(SloResult.Outcome.CANNOT_TELL);
        assertThat(result.requests()).isEqualTo(1080);
    }
}
