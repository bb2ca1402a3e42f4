package org.inferometer.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.LoadSweep;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.measurement.Backlog;
import org.inferometer.measurement.verdict.SearchedLoads;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentManifest.LoadEstimate;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.SamplePlans;
import org.inferometer.record.Verdict;
import org.inferometer.record.Verdict.Condition;
import org.inferometer.record.Verdict.Requirement;
import org.inferometer.record.Verdict.State;
import org.inferometer.results.SampleRecords;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.units.LongForm;
import org.inferometer.units.Seed;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.WorkloadPresets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Whole searches `rate=4..32 --requests 200 --runs 2` on servers whose highest load is known: how often the interval holds it, how far the
/// estimate is off, and how often a load above it is shown to be served. Goal: 90 % of requests within a limit of TTFT.
@Execution(ExecutionMode.CONCURRENT)
class LoadEstimateSimulationTest {
    private static final Seed SEED = new Seed(20_261_129);
    private static final double GOAL = 0.9;
    private static final int REQUESTS = 200;
    private static final int RUNS = 2;
    /// Halving the 23 loads, repeating both at the border and lower ones took 12.5 to 14.4 runs on these servers.
    private static final int MOST_RUNS = 12;

    /// Servers, each with its limit of TTFT and the rate at which 90 % of 400,000 requests are within it.
    private enum Server {
        /// M/M/1, 80 % busy at the border: runs of 200 requests have 5 independent ones.
        ONE_BY_ONE(0.52, 15.98) {
            @Override
            double[][] serve(double[] due, RandomGenerator random) {
                return queue(due, 1, random, next -> next.nextExponential() / 20, 0);
            }
        },
        /// M/D/4.
        FOUR_SLOTS(0.2, 12.54) {
            @Override
            double[][] serve(double[] due, RandomGenerator random) {
                return queue(due, 4, random, next -> 0.24, 0);
            }
        },
        /// Continuous batch of 16 rows and 40 tokens; a step takes three times as long when full.
        BATCH(0.5, 11.79) {
            @Override
            double[][] serve(double[] due, RandomGenerator random) {
                return batch(due);
            }
        },
        /// M/D/4 whose speed differs by 8 % from run to run.
        RUNS_THAT_DIFFER(0.2, 12.2) {
            @Override
            double[][] serve(double[] due, RandomGenerator random) {
                double speed = Math.exp(0.08 * random.nextGaussian());
                return queue(due, 4, random, next -> 0.24 / speed, 0);
            }
        },
        /// M/D/4 that stands still for half a second on average, every ten seconds.
        HALTS(0.5, 12.58) {
            @Override
            double[][] serve(double[] due, RandomGenerator random) {
                return queue(due, 4, random, next -> 0.24, 0.5);
            }
        };

        private static final double HALT_GAP_SECONDS = 10;
        final double limitSeconds;
        final double border;

        Server(double limitSeconds, double border) {
            this.limitSeconds = limitSeconds;
            this.border = border;
        }

        /// Waiting time and latency of each request, seconds.
        abstract double[][] serve(double[] due, RandomGenerator random);

        private static double[][] queue(double[] due, int places, RandomGenerator random,
                ToDoubleFunction<RandomGenerator> service, double haltSeconds) {
            double[][] latencies = new double[2][due.length];
            PriorityQueue<Double> free = new PriorityQueue<>();
            for (int i = 0; i < places; i++) {
                free.add(0.0);
            }
            double halt = haltSeconds == 0 ? Double.MAX_VALUE : random.nextExponential() * HALT_GAP_SECONDS;
            double length = random.nextExponential() * haltSeconds;
            for (int i = 0; i < due.length; i++) {
                double start = Math.max(due[i], free.remove());
                while (start >= halt + length) {
                    halt += length + random.nextExponential() * HALT_GAP_SECONDS;
                    length = random.nextExponential() * haltSeconds;
                }
                start = start >= halt ? halt + length : start;
                double end = start + service.applyAsDouble(random);
                latencies[0][i] = start - due[i];
                latencies[1][i] = end - due[i];
                free.add(end);
            }
            return latencies;
        }

        private static double[][] batch(double[] due) {
            double[][] latencies = new double[2][due.length];
            List<int[]> rows = new ArrayList<>();
            double now = 0;
            for (int next = 0; next < due.length || !rows.isEmpty();) {
                now = rows.isEmpty() ? Math.max(now, due[next]) : now;
                while (next < due.length && due[next] <= now && rows.size() < 16) {
                    rows.add(new int[]{next++, 0});
                }
                now += 0.01 * (1 + 2.0 * rows.size() / 16);
                double end = now;
                rows.removeIf(row -> {
                    latencies[row[1] == 0 ? 0 : 1][row[0]] = end - due[row[0]];
                    return ++row[1] == 40;
                });
            }
            return latencies;
        }

        double[][] run(double[] due, double rate, RandomGenerator random) {
            double now = 0;
            for (int i = 0; i < due.length; i++) {
                now += random.nextExponential() / rate;
                due[i] = now;
            }
            return serve(due, random);
        }
    }

    private static RunRecord record(RunPlan plan, double[] due, double[][] latencies) {
        List<RequestOutcome> requests = new ArrayList<>();
        for (int i = 0; i < due.length; i++) {
            long at = Math.round(due[i] * 1e9);
            long first = at + 1 + Math.round(latencies[0][i] * 1e9);
            long last = at + 2 + Math.round(latencies[1][i] * 1e9);
            requests.add(new RequestOutcome(new RequestId(i), false, 4, 2, at, at, at, at, last, RequestStatus.OK, "",
                    new long[]{first, last}));
        }
        boolean overloaded =
                Backlog.of(requests, true).filter(backlog -> backlog.longEnough() && backlog.grew()).isPresent();
        Verdict verdict = new Verdict(overloaded ? Verdict.Grade.INVALID : Verdict.Grade.VALID, List.of(
                new Condition(Requirement.SERVED_AS_ASKED, "served", overloaded ? State.BROKEN : State.MET, "", "")));
        RunManifest manifest = new RunManifest(RunManifest.FORMAT_VERSION, plan, SampleRecords.MACHINE,
                new RunManifest.SystemUnderTest("", "", "", "", false, RunManifest.Pools.UNKNOWN), "", Instant.EPOCH,
                new RunManifest.RunOutcome(RunStatus.COMPLETE, "", 0, verdict));
        return new RunRecord(plan.folderName(), manifest,
                new RunObservations(requests, List.of(), List.of(), new RunObservations.Setup(1, 4, 2, 100)),
                List.of());
    }

    /// What a search says, and how many runs it took.
    private record Said(LoadEstimate estimate, int runs) {
        static Said by(Server server, Seed seed) throws EngineFormatException {
            ExperimentSpec spec = new ExperimentSpec("search", List.of("tiny-int4"), List.of(Selection.of("naive")),
                    LoadSweep.grid("rate=4..32").over(List.of(new WorkloadPresets().find("short"))),
                    Selection.of("host"), RUNS, 0, 1, 100, 0, ExperimentSpec.AskedLimits.DEFAULTS)
                    .withGoal(new DeploymentGoal(
                            ServiceObjective.parse("ttft=" + server.limitSeconds + "s,share=" + GOAL), 0))
                    .searching();
            SearchedLoads loads = SearchedLoads.of(spec).getFirst();
            LoadSearch search = new LoadSearch(spec,
                    (run, cell, repetition) -> SamplePlans.plan("x", run, cell, spec.cells().get(cell), repetition, "",
                            Path.of("run-" + run).toString(), 0, 1, 100, 0, new Limits(0, 0, 0),
                            LaneLayout.sharing(1)));
            RandomGenerator random = seed.generator();
            List<RunRecord> ended = new ArrayList<>();
            for (Optional<RunPlan> next = search.next(ended); next.isPresent(); next = search.next(ended)) {
                double[] due = new double[REQUESTS];
                ended.add(
                        record(next.get(), due, server.run(due, loads.loads().get(next.get().index().cell()), random)));
            }
            return new Said(loads.estimate(ended).orElseThrow(), ended.size());
        }

        boolean holds(double border) {
            Double low = estimate.low();
            Double high = estimate.high();
            return (low == null || low <= border) && (high == null || high >= border);
        }

        boolean wronglyServed(double border) {
            Double shown = estimate.shownServed();
            return shown != null && shown > border;
        }
    }

    /// Counts over searches of one server, and the median of how far their estimates are off.
    private record Counts(int holds, int wronglyServed, int runs, double medianError) {
        static Counts of(Server server, int searches) throws EngineFormatException {
            int holds = 0;
            int wrong = 0;
            int runs = 0;
            double[] errors = new double[searches];
            for (int i = 0; i < searches; i++) {
                Said said = Said.by(server, SEED.part(server.name()).part(i));
                holds += said.holds(server.border) ? 1 : 0;
                wrong += said.wronglyServed(server.border) ? 1 : 0;
                runs = Math.max(runs, said.runs);
                errors[i] = Math.abs(said.estimate.estimate() / server.border - 1);
            }
            Arrays.sort(errors);
            return new Counts(holds, wrong, runs, errors[searches / 2]);
        }
    }

    /// Eight searches of each server: nine in ten intervals hold the border and one in twenty serves too much, both with three standard errors.
    @Test
    void theIntervalHoldsTheHighestLoad() throws EngineFormatException {
        int holds = 0;
        int wrong = 0;
        for (Server server : Server.values()) {
            Counts counts = Counts.of(server, 8);
            holds += counts.holds;
            wrong += counts.wronglyServed;
            assertThat(counts.medianError).as(server.name()).isLessThanOrEqualTo(0.15);
            assertThat(counts.runs).as(server.name()).isLessThanOrEqualTo(MOST_RUNS);
        }
        assertThat(holds).isGreaterThanOrEqualTo(30);
        assertThat(wrong).isLessThanOrEqualTo(6);
    }

    /// 200 searches of each server; limits of shares: two standard errors from 90 % and from 5 %.
    @ParameterizedTest
    @EnumSource
    @LongForm
    void theIntervalOfEachServerHoldsItsHighestLoad(Server server) throws EngineFormatException {
        Counts counts = Counts.of(server, 200);
        assertThat(counts.holds).isGreaterThanOrEqualTo(172);
        assertThat(counts.wronglyServed).isLessThanOrEqualTo(16);
        assertThat(counts.medianError).isLessThanOrEqualTo(0.1);
        assertThat(counts.runs).isLessThanOrEqualTo(MOST_RUNS);
    }

    /// Runs that differ are long enough to be steady, and many.
    @ParameterizedTest
    @EnumSource
    @LongForm
    void theBordersAreTrue(Server server) {
        int runs = server == Server.RUNS_THAT_DIFFER ? 400 : 2;
        long good = 0;
        double[] due = new double[400_000 / runs];
        for (int i = 0; i < runs; i++) {
            double[][] latencies = server.run(due, server.border, SEED.part("border").part(i).generator());
            good += Arrays.stream(latencies[0]).filter(wait -> wait <= server.limitSeconds).count();
        }
        assertThat((double) good / runs / due.length).isCloseTo(GOAL, within(0.01));
    }
}
