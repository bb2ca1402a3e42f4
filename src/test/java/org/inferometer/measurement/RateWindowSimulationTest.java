package org.inferometer.measurement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.inferometer.measurement.comparison.Comparison;
import org.inferometer.measurement.comparison.Comparisons;
import org.inferometer.measurement.verdict.RunCircumstances;
import org.inferometer.measurement.verdict.RunExpectation;
import org.inferometer.measurement.verdict.VerdictRules;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Figure;
import org.inferometer.record.Metric;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunObservations;
import org.inferometer.record.TokenSource;
import org.inferometer.record.Verdict;
import org.inferometer.units.Seed;
import org.inferometer.workload.LoadKind;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Rates on ideal servers, whose true rates are known: 100 ms to the first token and 20 ms to each later one, whatever else they do.
@Execution(ExecutionMode.CONCURRENT)
class RateWindowSimulationTest {
    private static final double FIRST_SECONDS = 0.1;
    private static final double TOKEN_SECONDS = 0.02;
    private static final int RUNS = Boolean.getBoolean("inferometer.endurance") ? 400 : 40;

    /// A request of some tokens that is sent when it is due.
    private static RequestOutcome request(int id, double dueSeconds, int tokens, double latencyFactor) {
        long due = Math.round(dueSeconds * 1e9);
        long[] events = new long[tokens];
        for (int token = 0; token < tokens; token++) {
            events[token] = due + Math.round((FIRST_SECONDS + token * TOKEN_SECONDS) * latencyFactor * 1e9);
        }
        return new RequestOutcome(new RequestId(id), false, 64, tokens, due, due, RequestOutcome.ABSENT,
                RequestOutcome.ABSENT, events[tokens - 1] + 1, RequestStatus.OK, "", events, tokens,
                TokenSource.SERVER_USAGE);
    }

    /// Lognormal lengths with a median of 100 tokens, from 4 to 512.
    private static int length(RandomGenerator random) {
        return Math.clamp(Math.round(100 * Math.exp(0.7 * random.nextGaussian())), 4, 512);
    }

    private static double seconds(int tokens) {
        return FIRST_SECONDS + (tokens - 1) * TOKEN_SECONDS;
    }

    private static double figure(List<RequestOutcome> requests, LoadKind load, Metric metric) {
        return RunFigures.find(figures(requests, load), metric).orElseThrow().value();
    }

    private static List<RequestOutcome> closedLoop(RandomGenerator random, int slots, int requests,
            ToIntFunction<RandomGenerator> lengths) {
        PriorityQueue<Double> free = new PriorityQueue<>(IntStream.range(0, slots).mapToObj(slot -> 0.0).toList());
        List<RequestOutcome> run = new ArrayList<>();
        for (int id = 0; id < requests; id++) {
            double due = free.remove();
            int tokens = lengths.applyAsInt(random);
            run.add(request(id, due, tokens, 1));
            free.add(due + seconds(tokens) + 1e-6);
        }
        return run;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 32, 64, 256})
    void aServerThatScalesLinearlyShowsNoPlateau(int slots) {
        RandomGenerator lengths = new Seed(4).part("lengths").generator();
        double tokens = 0;
        double seconds = 0;
        for (int i = 0; i < 100_000; i++) {
            int length = length(lengths);
            tokens += length;
            seconds += seconds(length);
        }
        double trueTokens = slots * tokens / seconds;
        double trueRequests = slots * 100_000 / seconds;
        Seed seed = new Seed(5).part(slots);
        double shownTokens = 0;
        double shownRequests = 0;
        for (int run = 0; run < RUNS; run++) {
            List<RequestOutcome> outcomes = closedLoop(seed.part(run).generator(), slots,
                    Math.max(20, VerdictRules.LEAST_PER_SLOT * slots), RateWindowSimulationTest::length);
            shownTokens += figure(outcomes, LoadKind.closed(slots), Metrics.OUTPUT_THROUGHPUT) / RUNS;
            shownRequests += figure(outcomes, LoadKind.closed(slots), Metrics.REQUEST_THROUGHPUT) / RUNS;
        }
        assertThat(shownTokens / trueTokens).isBetween(0.97, 1.03);
        assertThat(shownRequests / trueRequests).isBetween(0.97, 1.06);
    }

    /// One answer in ten is 50 times as long. Until the long ones are in the slots, these turn over too fast: 5 requests a slot show twice the
    /// true request throughput.
    @ParameterizedTest
    @ValueSource(ints = {8, 64})
    void lengthsThatVaryMuchTakeMoreRequests(int slots) {
        ToIntFunction<RandomGenerator> lengths = random -> random.nextInt(10) == 0 ? 200 : 4;
        double trueRequests = slots / (0.9 * seconds(4) + 0.1 * seconds(200));
        double trueTokens = trueRequests * (0.9 * 4 + 0.1 * 200);
        Seed seed = new Seed(7).part(slots);
        double shownRequests = 0;
        double shownTokens = 0;
        int few = 0;
        int met = 0;
        for (int run = 0; run < RUNS; run++) {
            few += isMet(closedLoop(seed.part(run).generator(), slots, 5 * slots, lengths), slots) ? 1 : 0;
            List<RequestOutcome> enough = closedLoop(seed.part(run).generator(), slots, 30 * slots, lengths);
            met += isMet(enough, slots) ? 1 : 0;
            shownRequests += figure(enough, LoadKind.closed(slots), Metrics.REQUEST_THROUGHPUT) / RUNS;
            shownTokens += figure(enough, LoadKind.closed(slots), Metrics.OUTPUT_THROUGHPUT) / RUNS;
        }
        assertThat((double) few / RUNS).isLessThan(0.15);
        assertThat((double) met / RUNS).isGreaterThan(0.5);
        assertThat(shownRequests / trueRequests).isBetween(0.97, 1.08);
        assertThat(shownTokens / trueTokens).isBetween(0.95, 1.03);
    }

    private static boolean isMet(List<RequestOutcome> requests, int slots) {
        RunObservations observed = new RunObservations(requests, List.of(), List.of(),
                new RunObservations.Setup(0, 0, 2, 0).arriving(LoadKind.closed(slots)));
        return VerdictRules.judge(observed, RunExpectation.requests(requests.size()), RunCircumstances.dropped(0))
                .conditions().stream()
                .filter(condition -> condition.requirement() == Verdict.Requirement.REQUESTS_PER_SLOT)
                .allMatch(condition -> condition.state() == Verdict.State.MET);
    }

    /// 300 requests at 6 a second, whose latencies are those of the ideal server times a factor.
    private static List<List<Figure>> openLoop(Seed seed, int runs, double factor) {
        return IntStream.range(0, runs).mapToObj(run -> {
            RandomGenerator random = seed.part(run).generator();
            double due = 0;
            List<RequestOutcome> requests = new ArrayList<>();
            for (int id = 0; id < 300; id++) {
                requests.add(request(id, due, length(random), factor));
                due -= Math.log1p(-random.nextDouble()) / 6;
            }
            return figures(requests, LoadKind.OPEN_LOOP);
        }).toList();
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 1.5, 3})
    void aLatencyIsNoThroughputWhereTheServerKeepsUp(double factor) {
        Seed seed = new Seed(6);
        double shown = 0;
        double offered = 0;
        for (int i = 0; i < RUNS; i++) {
            CellFigure base = rate(openLoop(seed.part(i), 3, 1));
            List<List<Figure>> runs = openLoop(seed.part(i), 3, factor);
            CellFigure slower = rate(runs);
            assertThat(Comparisons.between(base, slower).outcome()).isEqualTo(Comparison.Outcome.SET_BY_LOAD);
            shown += slower.mean() / RUNS;
            offered += find(runs, Metrics.OFFERED_RATE).mean() / RUNS;
        }
        assertThat(shown).isCloseTo(offered, withinPercentage(3));
    }

    private static CellFigure rate(List<List<Figure>> runs) {
        return find(runs, Metrics.REQUEST_THROUGHPUT);
    }

    private static CellFigure find(List<List<Figure>> runs, Metric metric) {
        return CellFigures.find(CellFigures.under(LoadKind.OPEN_LOOP, CellFigures.of(runs)), metric).orElseThrow();
    }

    private static List<Figure> figures(List<RequestOutcome> requests, LoadKind load) {
        return RunFigures.of(new RunObservations(requests, List.of(), List.of(),
                new RunObservations.Setup(0, 0, 2, 0).arriving(load)));
    }
}
