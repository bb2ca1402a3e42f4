package org.inferometer.measurement.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.inferometer.measurement.Backlog;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.units.Seed;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the backlog says of servers with continuous batches of a limited size: answers of 100 tokens, a step that is slower the more rows it has.
/// Wrong answers are counted over constant and Poisson arrivals.
class FillingBatchSimulationTest {
    private static final int TOKENS = 100;
    private static final double STEP_SECONDS = 0.01;
    private static final double FULL_STEP_SECONDS = 0.026;
    private static final int RUNS = Boolean.getBoolean("inferometer.endurance") ? 1000 : 60;

    /// @param load share of the capacity
    /// @param cold requests at the start that take eight times as long
    private static List<RequestOutcome> run(RandomGenerator random, int rows, int requests, double load,
            boolean poisson, int cold) {
        double rate = load * rows / (TOKENS * FULL_STEP_SECONDS);
        double[] due = new double[requests];
        double[] first = new double[requests];
        double[] end = new double[requests];
        int[] left = new int[requests];
        for (int i = 0; i < requests; i++) {
            due[i] = i == 0 ? 0 : due[i - 1] + (poisson ? -Math.log1p(-random.nextDouble()) : 1) / rate;
            left[i] = i < cold ? 8 * TOKENS : TOKENS;
        }
        List<Integer> batch = new ArrayList<>();
        double now = 0;
        for (int next = 0; next < requests || !batch.isEmpty();) {
            now = batch.isEmpty() ? Math.max(now, due[next]) : now;
            while (next < requests && due[next] <= now && batch.size() < rows) {
                batch.add(next++);
            }
            now += STEP_SECONDS + (FULL_STEP_SECONDS - STEP_SECONDS) * batch.size() / rows;
            for (int request : batch) {
                first[request] = first[request] == 0 ? now : first[request];
                end[request] = now;
                left[request]--;
            }
            batch.removeIf(request -> left[request] == 0);
        }
        List<RequestOutcome> outcomes = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
            long at = Math.round(due[i] * 1e9);
            long last = Math.round(end[i] * 1e9);
            outcomes.add(new RequestOutcome(new RequestId(i), false, 10, 2, at, at, at, at, last, RequestStatus.OK, "",
                    new long[]{Math.round(first[i] * 1e9), last}));
        }
        return outcomes;
    }

    /// @param answer of a run
    private static double share(int rows, int requests, double load, boolean poisson, int cold,
            Predicate<Backlog> answer) {
        Seed seed = new Seed(12).part(rows).part(requests).part(Math.round(load * 100)).part(poisson ? 1 : 0);
        int runs = poisson ? RUNS : 1;
        return IntStream.range(0, runs)
                .filter(i -> answer.test(Backlog
                        .of(run(seed.part(i).generator(), rows, requests, load, poisson, cold), true).orElseThrow()))
                .count() / (double) runs;
    }

    private static boolean flagged(Backlog backlog) {
        return backlog.longEnough() && backlog.grew();
    }

    /// A cold start counts where most of the run is warm.
    @ParameterizedTest
    @CsvSource({"0.7, 0, 0.02", "0.9, 0, 0.05", "0.7, 5, 0.02", "0.9, 5, 0.05"})
    void aFillingBatchIsNoOverload(double load, int cold, double most) {
        double flagged = 0;
        int cases = 0;
        for (int rows : new int[]{1, 8, 32, 256}) {
            for (int requests : cold == 0 ? new int[]{50, 100, 300, 1000} : new int[]{300, 1000}) {
                for (boolean poisson : new boolean[]{false, true}) {
                    double wrong = share(rows, requests, load, poisson, cold, FillingBatchSimulationTest::flagged);
                    assertThat(wrong).as(rows + " rows, " + requests + " requests")
                            .isLessThanOrEqualTo(2 * most + 0.03);
                    flagged += wrong;
                    cases++;
                }
            }
        }
        assertThat(flagged / cases).isLessThanOrEqualTo(most);
    }

    /// What holds 64 rows and more has not filled after 300 requests: such a run is too short to tell.
    @ParameterizedTest
    @CsvSource({"1.1, 1000, 0, 0.8", "1.1, 1000, 5, 0.77", "1.3, 300, 0, 0.93", "1.3, 300, 5, 0.9", "2, 300, 0, 0.95",
            "2, 300, 5, 0.92"})
    void overloadOfABatchIsFound(double load, int requests, int cold, double least) {
        for (int rows : new int[]{1, 8, 32}) {
            assertThat(share(rows, requests, load, false, cold, FillingBatchSimulationTest::flagged))
                    .as(rows + " rows, constant").isEqualTo(1);
            assertThat(share(rows, requests, load, true, cold, FillingBatchSimulationTest::flagged)).as(rows + " rows")
                    .isGreaterThanOrEqualTo(least);
        }
        for (int rows : new int[]{64, 256}) {
            assertThat(share(rows, requests, 2, true, cold, backlog -> flagged(backlog) || !backlog.longEnough()))
                    .as(rows + " rows, twice the capacity").isEqualTo(1);
        }
    }
}
