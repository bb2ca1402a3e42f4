package org.inferometer.measurement.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.Verdict.Condition;
import org.inferometer.record.Verdict.Requirement;
import org.inferometer.record.Verdict.State;
import org.inferometer.units.Seed;
import org.inferometer.workload.LoadKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Rates of error of the conditions *served as fast as asked* and *steady latency* on queues whose capacity is known.
class OverloadSimulationTest {
    private static final Seed SEED = new Seed(20_261_123);
    private static final double EVEN = Double.POSITIVE_INFINITY;
    private static final double BURSTY = 0.25;
    private static final Map<SimulatedServer, Double> CAPACITY = new EnumMap<>(SimulatedServer.class);

    static {
        for (SimulatedServer server : SimulatedServer.values()) {
            CAPACITY.put(server, server.capacity());
        }
    }

    private static boolean flagged(List<RequestOutcome> requests) {
        PaceConditions pace = new PaceConditions(requests, LoadKind.OPEN_LOOP);
        return pace.served().orElseThrow().state() == State.BROKEN
                || pace.steadyLatency(Requirement.STEADY_TTFT, "TTFT", RequestOutcome::firstTokenNanos)
                        .state() == State.BROKEN
                || pace.steadyLatency(Requirement.STEADY_E2E, "E2E", RequestOutcome::lastTokenNanos)
                        .state() == State.BROKEN;
    }

    private static boolean notServed(List<RequestOutcome> requests) {
        return new PaceConditions(requests, LoadKind.OPEN_LOOP).served().orElseThrow().state() == State.BROKEN;
    }

    private static double share(SimulatedServer server, int runs, int requests, double load, double burstiness,
            double leak, Predicate<List<RequestOutcome>> holds) {
        Seed seed = SEED.part(server.name()).part(requests).part(Math.round(load * 100));
        return IntStream.range(0, runs)
                .filter(i -> holds.test(
                        server.run(seed.part(i), requests, load * CAPACITY.get(server), burstiness, leak).outcomes()))
                .count() / (double) runs;
    }

    /// Of 1,000 runs at 70 % of the capacity about 1 % are flagged. The limit of 2 % is the claim; the seeds are fixed.
    @Test
    void atMostTwoPercentOfRunsAtSeventyPercentAreFlagged() {
        double flagged = 0;
        for (SimulatedServer server : SimulatedServer.values()) {
            for (double burstiness : List.of(1.0, BURSTY)) {
                for (int requests : List.of(40, 100, 300, 1000)) {
                    flagged += 25 * share(server, 25, requests, 0.7, burstiness, 1, OverloadSimulationTest::flagged);
                }
            }
        }
        assertThat(flagged).isLessThanOrEqualTo(20);
    }

    /// With Poisson arrivals the rate of 1,000 requests itself varies by 3 %, so 1.1 times needs more requests than the rest.
    @ParameterizedTest
    @CsvSource({"1.1, 3000, 0.85", "1.3, 1000, 0.95", "1.9, 300, 0.98", "3, 1000, 0.98"})
    void overloadIsNotServedAsFastAsAsked(double load, int requests, double least) {
        for (SimulatedServer server : SimulatedServer.values()) {
            assertThat(share(server, 40, requests, load, 1, 1, OverloadSimulationTest::notServed)).as(server.name())
                    .isGreaterThanOrEqualTo(least);
            assertThat(share(server, 40, requests, load, EVEN, 1, OverloadSimulationTest::notServed))
                    .as(server.name() + " even").isGreaterThanOrEqualTo(least);
        }
    }

    /// 40 requests are flagged, or said to be too short a run to tell, wherever the pipeline has more than a few places.
    @Test
    void shortOverloadedRunIsNotValid() {
        Predicate<List<RequestOutcome>> notMet = requests -> new PaceConditions(requests, LoadKind.OPEN_LOOP).served()
                .orElseThrow().state() != State.MET;
        for (SimulatedServer server : SimulatedServer.values()) {
            assertThat(share(server, 100, 40, 3, 1, 1, notMet)).as(server.name()).isGreaterThanOrEqualTo(0.9);
        }
    }

    /// The server becomes five times slower from 15 % of its capacity on, so that it is never overloaded.
    @Test
    void fivefoldLeakIsFlagged() {
        double found = 0;
        for (SimulatedServer server : SimulatedServer.values()) {
            found += share(server, 40, 1000, 0.15, 1, 5, OverloadSimulationTest::flagged);
        }
        assertThat(found / SimulatedServer.values().length).isGreaterThanOrEqualTo(0.9);
    }

    @Test
    void closedLoopsAndLoadsToSaturationAreExempt() {
        List<RequestOutcome> overloaded = SimulatedServer.FOUR.run(SEED, 300, 12, 1, 1).outcomes();
        assertThat(new PaceConditions(overloaded, LoadKind.closed(4)).served()).isEmpty();
        PaceConditions saturating = new PaceConditions(overloaded, LoadKind.OFFLINE);
        assertThat(List.of(saturating.served().orElseThrow(), saturating.lateness(), saturating.stall(),
                saturating.steadyLatency(Requirement.STEADY_TTFT, "TTFT", RequestOutcome::firstTokenNanos)))
                .allMatch(condition -> condition.state() == State.NOT_CHECKED
                        && condition.observed().equals("a load to saturation was asked for"));
    }

    @Test
    void overloadIsDescribedByBothRates() {
        Condition served =
                new PaceConditions(SimulatedServer.FOUR.run(SEED, 1000, 8, EVEN, 1).outcomes(), LoadKind.OPEN_LOOP)
                        .served().orElseThrow();
        assertThat(served.observed())
                .matches("offered 8\\.0/s, served (3\\.[6-9]|4\\.[0-6])/s; latency grows with the length of the run");
        assertThat(served.remedy()).isNotBlank();
    }

    /// Under 1.9 times overload the queue alone makes TTFT long; the allowance for lateness does not follow.
    @Test
    void allowanceForLatenessDoesNotGrowWithOverload() {
        List<RequestOutcome> late = SimulatedServer.ONE.run(SEED, 1000, 1.9, 1, 1).outcomes().stream()
                .map(r -> new RequestOutcome(r.id(), false, r.promptTokens(), r.askedOutputTokens(), r.intendedNanos(),
                        r.sentNanos() + 100_000_000, r.admittedNanos(), r.prefillStartNanos(), r.endNanos(), r.status(),
                        "", r.eventNanos()))
                .toList();
        assertThat(new PaceConditions(late, LoadKind.OPEN_LOOP).lateness().state()).isEqualTo(State.BROKEN);
    }
}
