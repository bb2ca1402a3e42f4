package org.inferometer.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.LoadSweep;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.measurement.SloAttainment;
import org.inferometer.measurement.verdict.ServedRange;
import org.inferometer.measurement.verdict.SloDecision;
import org.inferometer.options.Selection;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.SamplePlans;
import org.inferometer.record.SloResult;
import org.inferometer.results.SampleRecords;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.units.LongForm;
import org.inferometer.units.Seed;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.WorkloadPresets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Rates of error of whole searches on loads whose true share of good requests is known. Limit of TTFT: 100 ms.
@Execution(ExecutionMode.CONCURRENT)
@Tag("endurance")
class LoadSearchSimulationTest {
    private static final int SEARCHES = LongForm.RUNS ? 500 : 20;
    private static final Seed SEED = new Seed(20_261_124);
    private static final int LOADS = 16;
    private static final int UNSERVED = 8;
    private static final double LIMIT_SECONDS = 0.1;

    /// The latencies of a run in seconds, one a request.
    private interface Server {
        double[] run(int load, RandomGenerator random);
    }

    /// Requests whose chance to be good does not depend on the others.
    private static Server independent(int requests, IntToDoubleFunction share) {
        return (load, random) -> random.doubles(requests)
                .map(u -> u < share.applyAsDouble(load) ? LIMIT_SECONDS / 2 : 2 * LIMIT_SECONDS).toArray();
    }

    /// M/M/1: at utilisation ρ the latency is above t with probability exp(−μ(1 − ρ)t). The border lies between loads 7 and 8.
    private static Server queue(int requests, double goal) {
        double rate = -Math.log(1 - goal) / LIMIT_SECONDS / (1 - utilisation(7.5));
        return (load, random) -> {
            double[] latencies = new double[requests];
            double waited = 0;
            for (int i = 0; i < requests; i++) {
                double service = random.nextExponential() / rate;
                latencies[i] = waited + service;
                waited = Math.max(0, latencies[i] - random.nextExponential() / rate / utilisation(load));
            }
            return latencies;
        };
    }

    /// M/G/1, 5 to 15 % busy: service of 2 ms, and one request in 100 takes up to ten times as long. About one request in 10⁵ misses.
    private static Server spikes(int requests) {
        return (load, random) -> {
            double[] latencies = new double[requests];
            double waited = 0;
            for (int i = 0; i < requests; i++) {
                double spike = random.nextDouble() < 0.01 ? 0.01 * random.nextExponential() : 0;
                latencies[i] = waited + 0.002 * Math.exp(0.2 * random.nextGaussian()) + spike;
                waited = Math.max(0, latencies[i] - random.nextExponential() * 0.04 / (1 + load / 8.0));
            }
            return latencies;
        };
    }

    /// A machine that halts now and then for 80 ms on average: all requests that arrive meanwhile wait. The chance of a miss is that of an arrival
    /// in the first part of a halt of more than the limit; loads from 8 on are above 1 − goal.
    private static Server halts(int requests, double goal) {
        return (load, random) -> {
            double miss = (1 - goal) * (load < UNSERVED ? 0.3 * load / UNSERVED : 1 + 0.1 * (load - UNSERVED + 0.1));
            double meanGap = 0.08 * Math.exp(-LIMIT_SECONDS / 0.08) / miss;
            double[] latencies = new double[requests];
            double now = 0;
            double begin = random.nextExponential() * meanGap;
            double length = 0.08 * random.nextExponential();
            for (int i = 0; i < requests; i++) {
                now += 0.01 * random.nextExponential();
                while (now >= begin + length) {
                    begin += length + random.nextExponential() * meanGap;
                    length = 0.08 * random.nextExponential();
                }
                latencies[i] = 0.002 * Math.exp(0.2 * random.nextGaussian())
                        + Math.max(0, now < begin ? 0 : begin + length - now);
            }
            return latencies;
        };
    }

    private static double utilisation(double load) {
        return 0.5 * Math.pow(1.05, load);
    }

    private static RunRecord record(RunPlan plan, double[] latencies) {
        List<RequestOutcome> requests = new ArrayList<>();
        for (int i = 0; i < latencies.length; i++) {
            long due = i * 1_000_000L;
            long first = due + Math.round(latencies[i] * 1e9);
            requests.add(new RequestOutcome(new RequestId(i), false, 4, 1, due, due, due, due, first, RequestStatus.OK,
                    "", new long[]{first}));
        }
        RunManifest manifest = new RunManifest(RunManifest.FORMAT_VERSION, plan, SampleRecords.MACHINE,
                new RunManifest.SystemUnderTest("", "", "", "", false, RunManifest.Pools.UNKNOWN), "", Instant.EPOCH,
                new RunManifest.RunOutcome(RunStatus.COMPLETE, "", 0, null));
        return new RunRecord(plan.folderName(), manifest,
                new RunObservations(requests, List.of(), List.of(), new RunObservations.Setup(1, 4, 2, 100)),
                List.of());
    }

    private static ExperimentSpec spec(double goal) {
        return new ExperimentSpec("search", List.of("tiny-int4"), List.of(Selection.of("naive")),
                LoadSweep.parse("concurrency="
                        + IntStream.rangeClosed(1, LOADS).mapToObj(String::valueOf).collect(Collectors.joining(",")))
                        .over(List.of(new WorkloadPresets().find("short"))),
                Selection.of("host"), 3, 0, 1, 100, 0, ExperimentSpec.AskedLimits.DEFAULTS)
                .withGoal(new DeploymentGoal(ServiceObjective.parse("ttft=100ms,share=" + goal), 0)).searching();
    }

    private static RunPlan plan(int run, int index, Cell cell, int repetition) {
        return SamplePlans.plan("x", run, index, cell, repetition, "", Path.of("run-" + run).toString(), 0, 1, 100, 0,
                new Limits(0, 0, 0), LaneLayout.sharing(1));
    }

    /// The answer of one search, and what the mean share alone would have said.
    private record Answer(ServedRange range, int byMean) {}

    private static Answer search(ExperimentSpec spec, Server server, Seed seed) throws EngineFormatException {
        List<Cell> cells = spec.cells();
        RandomGenerator random = seed.generator();
        LoadSearch search =
                new LoadSearch(spec, (run, cell, repetition) -> plan(run, cell, cells.get(cell), repetition));
        List<RunRecord> ended = new ArrayList<>();
        for (Optional<RunPlan> next = search.next(ended); next.isPresent(); next = search.next(ended)) {
            ended.add(record(next.get(), server.run(next.get().index().cell(), random)));
        }
        SloAttainment attainment = new SloAttainment(spec.goal().objective());
        List<Integer> tried =
                ended.stream().map(run -> run.manifest().plan().index().cell()).distinct().sorted().toList();
        ServedRange range = ServedRange.of(tried.stream()
                .map(cell -> new SloDecision(spec.goal().objective()).result(of(ended, cell), tried.size())).toList());
        int byMean = tried.stream()
                .filter(cell -> spec.goal().objective().isReachedBy(of(ended, cell).stream()
                        .mapToDouble(run -> attainment.share(run.observations().requests())).average().orElse(0)))
                .mapToInt(Integer::intValue).max().orElse(-1);
        return new Answer(new ServedRange(named(tried, range.highestServed()), named(tried, range.lowestNotServed())),
                byMean);
    }

    private static OptionalInt named(List<Integer> tried, OptionalInt index) {
        return index.isPresent() ? OptionalInt.of(tried.get(index.getAsInt())) : index;
    }

    private static List<RunRecord> of(List<RunRecord> ended, int cell) {
        return ended.stream().filter(run -> run.manifest().plan().index().cell() == cell).toList();
    }

    /// Counts over searches; loads from 8 on are not served in truth.
    private record Counts(int searches, int wrong, int wrongByMean, int none) {
        static Counts of(int searches, double goal, Server server) throws EngineFormatException {
            int wrong = 0;
            int byMean = 0;
            int none = 0;
            ExperimentSpec spec = spec(goal);
            for (int i = 0; i < searches; i++) {
                Answer answer = search(spec, server, SEED.part(i));
                wrong += answer.range.highestServed().orElse(-1) >= UNSERVED ? 1 : 0;
                byMean += answer.byMean >= UNSERVED ? 1 : 0;
                none += answer.range.highestServed().isEmpty() ? 1 : 0;
            }
            return new Counts(searches, wrong, byMean, none);
        }
    }

    private static IntToDoubleFunction falling(double goal, double slope) {
        return load -> load < UNSERVED ? Math.min(1, goal + 0.001 + slope * (UNSERVED - 1 - load))
                : goal - 1e-6 - slope * (load - UNSERVED);
    }

    /// Searches of 100 requests a run: shares that hardly fall, shares that fall by 3 % a load, a queue, and halts. Measured over 400: none
    /// wrong, halts 2 %. The mean share alone is wrong in 54 to 99 %. All may reach 5 % and two standard errors, halts 6 %.
    @Test
    void atMostFivePercentOfSearchesAreWronglyServed() throws EngineFormatException {
        Counts flat = Counts.of(SEARCHES, 0.9, independent(100, falling(0.9, 0.0005)));
        Counts steep = Counts.of(SEARCHES, 0.9, independent(100, falling(0.9, 0.03)));
        Counts queue = Counts.of(SEARCHES, 0.9, queue(100, 0.9));
        Counts halts = Counts.of(SEARCHES, 0.95, halts(100, 0.95));
        assertThat(flat.wrong + steep.wrong + queue.wrong).isLessThanOrEqualTo(most(0.05, 3 * SEARCHES));
        assertThat(List.of(flat.wrong, steep.wrong, queue.wrong)).allMatch(wrong -> wrong <= most(0.05, SEARCHES));
        assertThat(halts.wrong).isLessThanOrEqualTo(most(0.06, SEARCHES));
        assertThat(List.of(flat.wrongByMean, steep.wrongByMean, queue.wrongByMean, halts.wrongByMean))
                .allMatch(wrong -> wrong >= SEARCHES / 4);
        // A search must also find an answer where there is one.
        assertThat(steep.none).isLessThanOrEqualTo(SEARCHES / 20);
    }

    /// The number of times that what is as likely as that happens at most, but for one trial in 40.
    private static int most(double share, int of) {
        return (int) (share * of + 2 * Math.sqrt(share * (1 - share) * of));
    }

    @Test
    void longerRunsAreWronglyServedNoMoreOften() throws EngineFormatException {
        int searches = LongForm.RUNS ? 60 : 20;
        Counts queue = Counts.of(searches, 0.9, queue(300, 0.9));
        assertThat(queue.wrong).isLessThanOrEqualTo(most(0.05, searches));
        Counts strict = Counts.of(searches / 2, 0.99, independent(1000, falling(0.99, 0.003)));
        assertThat(strict.wrong).isLessThanOrEqualTo(LongForm.RUNS ? 4 : 2);
        assertThat(strict.none).isLessThanOrEqualTo(LongForm.RUNS ? 2 : 1);
    }

    /// Latencies far from the limit, with rare spikes: a few hundred requests tell that the highest load is served. Measured over 100 and
    /// 50 searches: 92 with 330 requests a load for 95 %, 94 with 1,200 for 99 %, of which 458 must be independent at five loads. Limits: three
    /// standard errors.
    @Test
    void loadsFarFromTheLimitAreServed() throws EngineFormatException {
        assertThat(highestServed(0.95, 110, LongForm.RUNS ? 100 : 25)).isGreaterThanOrEqualTo(LongForm.RUNS ? 84 : 19);
        assertThat(highestServed(0.99, 400, LongForm.RUNS ? 50 : 12)).isGreaterThanOrEqualTo(LongForm.RUNS ? 42 : 9);
    }

    private static int highestServed(double goal, int requests, int searches) throws EngineFormatException {
        int highest = 0;
        for (int i = 0; i < searches; i++) {
            highest += search(spec(goal), spikes(requests), SEED.part(i)).range.highestServed().orElse(-1) == LOADS - 1
                    ? 1 : 0;
        }
        return highest;
    }

    /// The number of requests that would tell: how often as many tell, and a quarter of them.
    /// The number of requests that would tell at a load far from the limit: a quarter of it seldom tells, twice as many mostly do.
    /// Measured over 100 experiments of 150 requests: 1 and 80.
    @Test
    void requestsToTellAreTrueWithinTwo() {
        int asked = 0;
        int quarter = 0;
        int twice = 0;
        for (int i = 0; i < 100; i++) {
            RandomGenerator random = SEED.part(i).generator();
            int requests = (int) decide(50, random).requestsToTell();
            asked += requests > 0 ? 1 : 0;
            quarter += decide(requests / 4 / 3, random).requestsToTell() == 0 ? 1 : 0;
            twice += decide(requests * 2 / 3, random).requestsToTell() == 0 ? 1 : 0;
        }
        assertThat(asked).isEqualTo(100);
        assertThat(quarter).isLessThanOrEqualTo(8);
        assertThat(twice).isGreaterThanOrEqualTo(68);
    }

    /// A goal of 99 % at load 8 of [#spikes], three runs.
    private static SloResult decide(int requests, RandomGenerator random) {
        ExperimentSpec spec = spec(0.99);
        List<RunRecord> runs = IntStream.range(0, 3)
                .mapToObj(run -> record(plan(run, 8, spec.cells().get(8), run), spikes(requests).run(8, random)))
                .toList();
        return new SloDecision(spec.goal().objective()).result(runs, 1);
    }
}
