package org.inferometer.measurement.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.inferometer.measurement.Simulated;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.Verdict.State;
import org.inferometer.units.Seed;
import org.inferometer.workload.LoadKind;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The condition *served as fast as asked* under a rate that rises from 1 to `to` requests a second within 60 s by design.
class RisingRateSimulationTest {
    private static final LoadKind RAMP = new LoadKind(LoadKind.Arriving.OPEN, 0, false, false);
    private static final double SECONDS = 60;
    private static final int RUNS = Simulated.tries(800);

    /// @param places of the server; each request takes a place for `service` seconds, and `first` more to its first token
    private static List<RequestOutcome> run(RandomGenerator random, double to, int places, double service,
            double first) {
        PriorityQueue<Double> free = new PriorityQueue<>(IntStream.range(0, places).mapToObj(each -> 0.0).toList());
        List<RequestOutcome> requests = new ArrayList<>();
        double arrived = random.nextExponential();
        for (double due = due(arrived, to); due < SECONDS; due = due(arrived, to)) {
            double begun = Math.max(due, free.remove());
            free.add(begun + service);
            long at = Math.round(due * 1e9);
            long token = Math.round((begun + first * Math.exp(0.1 * random.nextGaussian())) * 1e9);
            long last = Math.max(token + 1, Math.round((begun + service + first) * 1e9));
            requests.add(new RequestOutcome(new RequestId(requests.size()), false, 10, 2, at, at, at, at, last,
                    RequestStatus.OK, "", new long[]{token, last}));
            arrived += random.nextExponential();
        }
        return requests;
    }

    /// When the integrated rate reaches a number of arrivals.
    private static double due(double arrived, double to) {
        double rise = (to - 1) / SECONDS;
        return (Math.sqrt(1 + 2 * rise * arrived) - 1) / rise;
    }

    private static double flagged(double to, int places, double service, double first) {
        Seed seed = new Seed(20_261_129).part(places).part(Math.round(first * 10));
        return IntStream.range(0, RUNS)
                .filter(i -> new PaceConditions(run(seed.part(i).generator(), to, places, service, first), RAMP)
                        .served().orElseThrow().state() == State.BROKEN)
                .count() / (double) RUNS;
    }

    /// As many wait as are due in a latency, so more wait as the rate rises. At most 5 % of the runs may be flagged; the limit is wider by the
    /// error of simulation.
    @ParameterizedTest
    @CsvSource({"5, 0.5", "5, 8", "10, 2", "10, 5", "20, 1", "20, 8"})
    void anEqualLatencyIsNoOverloadWhereTheRateRises(double to, double first) {
        assertThat(flagged(to, 1000, 0.1, first)).isCloseTo(0, Simulated.within(0.07));
    }

    /// Eight places that are at most 80 % busy.
    @ParameterizedTest
    @CsvSource({"5, 1.28", "10, 0.64"})
    void aServerThatKeepsUpIsNotFlagged(double to, double service) {
        assertThat(flagged(to, 8, service, 0.1)).isCloseTo(0, Simulated.within(0.07));
    }

    /// From 60 % of the last rate on the server is too slow.
    @ParameterizedTest
    @CsvSource({"10, 8, 1.33, 0.1", "20, 4, 0.33, 2", "20, 1, 0.083, 0.1"})
    void overloadFromTheMiddleOfARampIsFlagged(double to, int places, double service, double first) {
        assertThat(flagged(to, places, service, first)).isGreaterThanOrEqualTo(0.85);
    }
}
