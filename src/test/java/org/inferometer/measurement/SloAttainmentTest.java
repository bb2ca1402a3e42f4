package org.inferometer.measurement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.inferometer.measurement.Outcomes.MS;

import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.record.Figure;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunObservations;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.workload.LoadKind;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SloAttainmentTest {
    private static final OptionalDouble NONE = OptionalDouble.empty();
    private static final RequestOutcome REQUEST = Outcomes.ok(0, 0, 100, 150, 200);

    private static OptionalDouble millis(double millis) {
        return OptionalDouble.of(millis * MS);
    }

    @Test
    void requestMustMeetEveryLimit() {
        assertThat(new SloAttainment(new ServiceObjective(millis(100), millis(50), millis(200))).isMetBy(REQUEST))
                .isTrue();
        assertThat(new SloAttainment(new ServiceObjective(millis(99), millis(50), millis(200))).isMetBy(REQUEST))
                .isFalse();
        assertThat(new SloAttainment(new ServiceObjective(millis(100), millis(49), millis(200))).isMetBy(REQUEST))
                .isFalse();
        assertThat(new SloAttainment(new ServiceObjective(millis(100), millis(50), millis(199))).isMetBy(REQUEST))
                .isFalse();
        assertThat(new SloAttainment(new ServiceObjective(NONE, NONE, NONE)).isMetBy(REQUEST)).isTrue();
    }

    @Test
    void requestOfOneTokenMeetsAnyTpot() {
        assertThat(new SloAttainment(new ServiceObjective(NONE, millis(0), NONE)).isMetBy(Outcomes.ok(0, 0, 100)))
                .isTrue();
    }

    /// 40 tokens in events at 100 and 300 ms: 200 / 20 = 10 ms each if 20 came first. If that is not known, up to 200 ms.
    @Test
    void unknownFirstEventMeetsOnlyWhatItSurelyMeets() {
        SloAttainment tenMillis = new SloAttainment(new ServiceObjective(NONE, millis(10), NONE));
        assertThat(tenMillis.isMetBy(Outcomes.inEvents(0, 40, new int[]{20, 20}, 100, 300))).isTrue();
        assertThat(tenMillis.isMetBy(Outcomes.inEvents(0, 40, new int[]{30, 10}, 100, 300))).isFalse();
        assertThat(tenMillis.isMetBy(Outcomes.inEvents(0, 40, new int[]{0, 0}, 100, 300))).isFalse();
        assertThat(new SloAttainment(new ServiceObjective(NONE, millis(200), NONE))
                .isMetBy(Outcomes.inEvents(0, 40, new int[]{0, 0}, 100, 300))).isTrue();
        assertThat(new SloAttainment(new ServiceObjective(NONE, millis(0), NONE))
                .isMetBy(Outcomes.inEvents(0, 40, new int[]{40}, 100))).isTrue();
    }

    @Test
    void wholeAnswerMeetsE2eLimitsOnly() {
        RequestOutcome whole = Outcomes.whole(0, 0, 5, 200);
        assertThat(new SloAttainment(new ServiceObjective(NONE, NONE, millis(200))).isMetBy(whole)).isTrue();
        assertThat(new SloAttainment(new ServiceObjective(NONE, NONE, millis(199))).isMetBy(whole)).isFalse();
        assertThat(new SloAttainment(new ServiceObjective(millis(1000), NONE, NONE)).isMetBy(whole)).isFalse();
        assertThat(new SloAttainment(new ServiceObjective(NONE, millis(1000), NONE)).isMetBy(whole)).isFalse();
    }

    @Test
    void failedRequestMeetsNothing() {
        RequestOutcome failed = Outcomes.of(0, false, 10, 2, 0, 0, 0, 0, RequestStatus.TIMED_OUT, 1, 2);
        assertThat(new SloAttainment(new ServiceObjective(NONE, NONE, NONE)).isMetBy(failed)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"0.99, 100, 3", "0.95, 100, 3", "0.95, 20, 6", "0.9, 10, 7", "1, 7, 49"})
    void loadAtExactlyTheShareMeetsTheSlo(double share, int requests, int runs) {
        ServiceObjective objective = new ServiceObjective(millis(100), NONE, NONE, share);
        long met = Math.round(share * requests);
        assertThat(objective.isReachedBy(meanShare(met, requests, runs))).isTrue();
        assertThat(objective.isReachedBy(meanShare(met, requests, runs) - 1.0 / requests / runs))
                .as("one request of all fell short").isFalse();
    }

    private static double meanShare(long met, int requests, int runs) {
        return DoubleStream.generate(() -> (double) met / requests).limit(runs).sum() / runs;
    }

    @Test
    void goodputAndCostAreDerived() {
        List<RequestOutcome> requests = List.of(Outcomes.warmUp(9, 0, 1), Outcomes.ok(0, 0, 100),
                Outcomes.ok(1, 1000, 1500), Outcomes.ok(2, 1900, 2000));
        // 2 of 3 requests within 100 ms, 3 tokens, in 2 s: 1.5 tok/s are 5,400 an hour.
        assertThat(goalFigures(requests, new DeploymentGoal(new ServiceObjective(millis(100), NONE, NONE), 2.7)))
                .isEqualTo(List.of(new Figure(Metrics.OBJECTIVE_MET, 2 / 3.0, 3, true),
                        new Figure(Metrics.GOODPUT, 1.0, 3, true),
                        new Figure(Metrics.COST_PER_MILLION, 500.0, 3, true)));
        assertThat(goalFigures(requests, DeploymentGoal.NONE)).isEmpty();
        assertThat(goalFigures(List.of(), new DeploymentGoal(new ServiceObjective(millis(100), NONE, NONE), 1)))
                .isEmpty();
    }

    @Test
    void whoGivesUpAfterALimitHasMissedIt() {
        SloAttainment attainment = new SloAttainment(new ServiceObjective(millis(200), NONE, millis(900)));
        RequestOutcome silent = gaveUp(1, 201);
        RequestOutcome slow = gaveUp(2, 901, 100, 300);
        assertThat(attainment.judged(List.of(REQUEST, silent, slow))).containsExactly(REQUEST, silent, slow);
        assertThat(attainment.share(List.of(REQUEST, silent, slow))).isEqualTo(1 / 3.0);
        // Given up in time, they count as the others that took as long: half of those beyond 150 ms met the limit.
        RequestOutcome met = Outcomes.ok(3, 0, 180);
        RequestOutcome missed = Outcomes.ok(4, 0, 250);
        assertThat(attainment.share(List.of(met, missed, gaveUp(5, 150), gaveUp(6, 150)))).isEqualTo(0.5);
        assertThat(attainment.share(List.of(gaveUp(5, 150)))).isZero();
    }

    private static RequestOutcome gaveUp(int id, long endMillis, long... tokenMillis) {
        RequestOutcome request = Outcomes.of(id, false, 10, 8, 0, 0, 0, 0, RequestStatus.GAVE_UP, tokenMillis);
        return new RequestOutcome(request.id(), false, 10, 8, 0, 0, 0, 0, endMillis * Outcomes.MS,
                RequestStatus.GAVE_UP, request.reason(), request.eventNanos());
    }

    @Test
    void requestsGivenUpInTimeAreNotJudgedAndFailuresAreMisses() {
        SloAttainment attainment = new SloAttainment(new ServiceObjective(millis(200), NONE, NONE));
        RequestOutcome gaveUp = ended(1, RequestStatus.GAVE_UP, "The user gave up after 50 ms.");
        RequestOutcome turn = ended(2, RequestStatus.GAVE_UP, "Not sent.");
        RequestOutcome stopped = ended(3, RequestStatus.CANCELLED, "The target was closed.");
        RequestOutcome failed = ended(4, RequestStatus.FAILED, "The user gave up after 50 ms.");
        assertThat(attainment.judged(List.of(REQUEST, gaveUp, turn, stopped, failed))).containsExactly(REQUEST, stopped,
                failed);
        assertThat(attainment.share(List.of(REQUEST, gaveUp, turn))).isEqualTo(1);
        assertThat(attainment.share(List.of(REQUEST, stopped, failed, gaveUp))).isCloseTo(1 / 3.0, within(1e-12));
    }

    private static RequestOutcome ended(int id, RequestStatus status, String reason) {
        return new RequestOutcome(new RequestId(id), false, 10, 2, 0, 0, 0, 0, 1, status, reason, new long[0]);
    }

    @Test
    void objectivesAreWrittenAsTheyAreRead() {
        assertThat(ServiceObjective.parse("ttft=500ms, tpot=50ms,e2e=10s,share=99.5%"))
                .isEqualTo(new ServiceObjective(millis(500), millis(50), millis(10_000), 0.995));
        for (String text : List.of("", "ttft=500ms", "tpot=12500000ns,share=0.9",
                "ttft=2000ms,tpot=200ms,e2e=30000ms")) {
            assertThat(ServiceObjective.parse(text)).hasToString(text);
        }
        assertThat(ServiceObjective.parse("mlperf-llama3.1-8b-interactive")).hasToString("ttft=500ms,tpot=30ms");
        assertThat(ServiceObjective.presets()).hasSize(11)
                .allSatisfy((name, preset) -> assertThat(ServiceObjective.parse(preset.toString())).isEqualTo(preset));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ttf=500ms          | ttft
            ttft=soon          | duration
            ttft=0ms           | is not a limit
            ttft=1s,ttft=2s    | twice
            ttft=1s,share=1.2  | is not a share
            mlperf-lama2-70b   | mlperf-llama2-70b
            """)
    void invalidSloHasOneMessage(String text, String sentence) {
        assertThatThrownBy(() -> ServiceObjective.parse(text)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(sentence);
    }

    /// Half of the answers take 0.5 s, half 1.5 s; the limit is 2 s. Who leaves after 0.8 s sees none of the slow ones.
    @ParameterizedTest
    @CsvSource({"800, 0.5, 0.5", "1800, 1, 0", "2200, 1, 0"})
    void usersThatLeaveTooEarlyTellNoShare(int patienceMillis, double share, double unknown) {
        List<RequestOutcome> requests =
                IntStream.range(0, 100).mapToObj(i -> (i % 2 == 0 ? 500 : 1500) <= patienceMillis
                        ? Outcomes.ok(i, 0, i % 2 == 0 ? 500 : 1500) : gaveUp(i, patienceMillis)).toList();
        DeploymentGoal goal = new DeploymentGoal(new ServiceObjective(millis(2000), NONE, NONE), 0);
        SloAttainment attainment = new SloAttainment(goal.objective());
        assertThat(List.of(attainment.share(requests), attainment.unknown(requests))).containsExactly(share, unknown);
        assertThat(RunFigures.find(goalFigures(requests, goal), Metrics.OBJECTIVE_MET).isPresent())
                .isEqualTo(unknown == 0);
    }

    private static RequestOutcome gaveUp(int id, long afterMillis) {
        return new RequestOutcome(new RequestId(id), false, 10, 4, 0, 0, RequestOutcome.ABSENT, RequestOutcome.ABSENT,
                afterMillis * MS, RequestStatus.GAVE_UP, "", new long[0]);
    }

    private static List<Figure> goalFigures(List<RequestOutcome> requests, DeploymentGoal goal) {
        RunObservations.Setup setup = new RunObservations.Setup(LaneLayout.sharing(1).lanes(), List.of(), List.of(100),
                4, 2, false, true, goal, LoadKind.UNKNOWN);
        return RunFigures
                .of(new RunObservations(requests, List.of(), List.of(), setup)).stream().filter(figure -> List
                        .of(Metrics.GOODPUT, Metrics.OBJECTIVE_MET, Metrics.COST_PER_MILLION).contains(figure.metric()))
                .toList();
    }
}
