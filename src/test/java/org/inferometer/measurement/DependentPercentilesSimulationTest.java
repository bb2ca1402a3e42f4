package org.inferometer.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Metric;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.units.Seed;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Percentiles and means of systems whose true ones are known, 1,000 requests a run: in how many experiments the interval holds the truth.
class DependentPercentilesSimulationTest {
    private static final boolean LONG = Boolean.getBoolean("inferometer.endurance");
    private static final int RUNS = LONG ? 2000 : 120;
    private static final int REQUESTS = 1000;
    private static final double PROMISED = 0.9;
    private static final double ERRORS = 2.5;

    /// Draws the latencies of a run, in seconds.
    private interface System {
        double[] run(RandomGenerator random, int run);
    }

    /// How many experiments held the truth, missed it, or marked the figure.
    private record Tally(int held, int missed, int marked) {
        static Tally of(List<List<CellFigure>> experiments, Metric metric, double truth) {
            int held = 0;
            int marked = 0;
            for (List<CellFigure> figures : experiments) {
                CellFigure figure = CellFigures.find(figures, metric).orElseThrow();
                if (figure.isMarked()) {
                    assertThat(figure.ends()).isEmpty();
                    marked++;
                } else {
                    CellFigure.Ends ends = figure.ends().orElseThrow();
                    held += ends.low() <= truth && truth <= ends.high() ? 1 : 0;
                }
            }
            return new Tally(held, experiments.size() - held - marked, marked);
        }

        int seen() {
            return held + missed;
        }

        double notWrong() {
            return 1 - (double) missed / (held + missed + marked);
        }

        double shown() {
            return (double) (held + missed) / (held + missed + marked);
        }

        double heldOfShown() {
            return held + missed == 0 ? 1 : (double) held / (held + missed);
        }
    }

    /// The least share that a promise of 90 % allows in so many experiments.
    private static double least(double experiments) {
        return PROMISED - ERRORS * Math.sqrt(PROMISED * (1 - PROMISED) / Math.max(1, experiments));
    }

    /// M/M/1 with a mean service of one second, empty at first: the system's percentiles are −ln(1 − p) / (1 − busy).
    private static System queue(double busy) {
        return (random, run) -> {
            double[] seconds = new double[REQUESTS];
            double waits = 0;
            for (int i = 0; i < REQUESTS; i++) {
                seconds[i] = waits + random.nextExponential();
                waits = Math.max(0, seconds[i] - random.nextExponential() / busy);
            }
            return seconds;
        };
    }

    private static double[] scaled(double[] seconds, double factor) {
        return Arrays.stream(seconds).map(each -> each * factor).toArray();
    }

    private static System independent() {
        return (random, run) -> random.doubles(REQUESTS).map(Math::log).map(Math::abs).toArray();
    }

    private static List<CellFigure> experiment(System system, int runs, RandomGenerator random) {
        List<RequestColumns> requests =
                IntStream.range(0, runs).mapToObj(run -> requests(system.run(random, run))).toList();
        return PooledTails.with(CellFigures.of(requests.stream().map(LatencyFigures::of).toList()), requests);
    }

    private static RequestColumns requests(double[] seconds) {
        return RequestColumns.of(IntStream.range(0, seconds.length).mapToObj(i -> {
            long sent = i * 1_000_000_000L;
            long first = sent + Math.round(seconds[i] * 1e9);
            return new RequestOutcome(new RequestId(i), false, 8, 1, RequestOutcome.ABSENT, sent, RequestOutcome.ABSENT,
                    RequestOutcome.ABSENT, first, RequestStatus.OK, "", new long[]{first});
        }).toList());
    }

    /// @param seconds the true value of each metric
    private static List<Tally> tally(String name, System system, int runs, Map<Metric, Double> seconds) {
        Seed seed = new Seed(20_261_129).part(name + runs);
        List<List<CellFigure>> experiments = IntStream.range(0, RUNS / runs)
                .mapToObj(i -> experiment(system, runs, seed.part(i).generator())).toList();
        return seconds.entrySet().stream().map(truth -> {
            Tally tally = Tally.of(experiments, truth.getKey(), truth.getValue() * 1e9);
            if (LONG) {
                java.lang.System.out.printf("%s, %d runs, %s: %s%n", name, runs, truth.getKey().label(), tally);
            }
            return tally;
        }).toList();
    }

    private static Map<Metric, Double> tails(DoubleUnaryOperator percentile) {
        Map<Metric, Double> truths = new LinkedHashMap<>();
        truths.put(Metrics.SERVICE_TTFT.p95(), percentile.applyAsDouble(0.95));
        truths.put(Metrics.SERVICE_TTFT.p99(), percentile.applyAsDouble(0.99));
        return truths;
    }

    @ParameterizedTest
    @CsvSource({"0.7, 3", "0.7, 5", "0.7, 10", "0.9, 3", "0.9, 5", "0.9, 10"})
    void figuresOfQueuesAreThoseOfTheSystemOrMarked(double busy, int runs) {
        Map<Metric, Double> truths = tails(share -> -Math.log(1 - share) / (1 - busy));
        truths.put(Metrics.SERVICE_TTFT.mean(), 1 / (1 - busy));
        List<Tally> tallies = tally("queue " + busy, queue(busy), runs, truths);
        assertThat(tallies).allMatch(tally -> tally.notWrong() >= least(RUNS / runs))
                .filteredOn(tally -> tally.shown() > 0.2).allMatch(tally -> tally.heldOfShown() >= least(tally.seen()));
        // Not by marking all: 30 independent requests a run at 0.7, three at 0.9.
        assertThat(List.of(tallies.getFirst().shown() > 0.25, tallies.getLast().shown() > 0.5))
                .containsOnly(busy < 0.8);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 10})
    void tailsOfIndependentRequestsAreShownWithInterval(int runs) {
        assertThat(tally("independent", independent(), runs, tails(share -> -Math.log(1 - share))))
                .allMatch(tail -> tail.shown() > 0.85 && tail.heldOfShown() >= least(tail.seen()));
    }

    /// Each run is 10 % slower or faster than the others: an interval of their requests alone holds the truth in 84 % of three runs.
    @ParameterizedTest
    @ValueSource(ints = {3, 10})
    void runsThatDifferWidenTheInterval(int runs) {
        System differing =
                (random, run) -> scaled(independent().run(random, run), Math.exp(0.1 * random.nextGaussian()));
        // Of the mixture, by numerical integration.
        assertThat(tally("differing", differing, runs, Map.of(Metrics.SERVICE_TTFT.percentile(90), 2.3176)))
                .allMatch(tail -> tail.shown() > 0.85 && tail.heldOfShown() >= least(tail.seen()));
    }

    /// What no run shows is in no interval: with fewer runs the bad one is missing in most experiments.
    @Test
    void meansHoldTheirTruthWhereOneOfTenRunsIsBad() {
        System bad = (random, run) -> scaled(independent().run(random, run), run == 3 ? 1.5 : 1);
        assertThat(tally("one bad run", bad, 10, Map.of(Metrics.SERVICE_TTFT.mean(), 1.05)))
                .allMatch(mean -> mean.notWrong() >= least(mean.seen()));
    }
}
