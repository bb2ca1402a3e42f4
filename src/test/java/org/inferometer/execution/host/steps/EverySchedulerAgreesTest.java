package org.inferometer.execution.host.steps;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.Precision;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.execution.check.ReferenceForward;
import org.inferometer.execution.host.machine.HostOptions;
import org.inferometer.options.Selection;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.StepReport;
import org.inferometer.record.StepSlices;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.Scheduler;
import org.inferometer.scheduling.SchedulerDescription;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.serving.CountingListener;
import org.inferometer.serving.EngineLoop;
import org.inferometer.serving.EventJournal;
import org.inferometer.units.LongForm;
import org.inferometer.units.Seed;
import org.inferometer.units.SystemClock;
import org.inferometer.workload.Request;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Served live by real kernels, a request gets the same tokens, from logits that are the same bits, under every scheduler, number of
/// lanes and threads, batch limit, chunk size and pool size as when it runs alone.
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("endurance")
class EverySchedulerAgreesTest {
    private static final SchedulerRegistry REGISTRY = SchedulerRegistry.standard();
    private static final int LOADS = 4;
    private static final int ROUNDS = LongForm.RUNS ? 8 : LOADS;
    /// What prompts in BF16 may move a logit by.
    private static final double ROUNDING = 0.05;

    private final List<ServedLoad> loads = new ArrayList<>();

    @BeforeAll
    void runEveryRequestAlone() throws Exception {
        Precision[] precisions = {Precision.INT4, Precision.FP8, Precision.BF16, Precision.INT4};
        ModelFamily[] families = {ModelFamily.LLAMA, ModelFamily.QWEN2, ModelFamily.QWEN3, ModelFamily.GPT2};
        for (int i = 0; i < LOADS; i++) {
            loads.add(ServedLoad.draw(RandomModel.of(RandomModel.odd(families[i]), precisions[i], 20 + i), 30 + i));
        }
    }

    static Stream<String> chosen() {
        return Stream.of("naive:batch_size=3", "dynamic:batch_size=3,min_batch_size=3,max_batch_size=5",
                "simple:capacity=static_batch",
                "simple:capacity=max_utilization,chunking=first_come_first_served,chunk_unit=4",
                "simple:chunking=equal_progress,chunk_unit=3", "continuous", "continuous:tokens=7,seqs=4",
                "continuous:chunked=false,prefix_caching=false", "parallel",
                "parallel:streams=3,load_balancing_strategy=round_robin",
                "parallel:load_balancing_strategy=runtime,enable_stream_synchronization=false", "disaggregated",
                "disaggregated:ctx=2,gen=2");
    }

    static List<String> registered() {
        return REGISTRY.names();
    }

    @ParameterizedTest
    @MethodSource("chosen")
    void everyRequestGetsTheTokensItGetsAlone(String scheduler) throws Exception {
        Met met = new Met(0, 0, 0);
        for (int round = 0; round < ROUNDS; round++) {
            met = met.plus(serve(round, Selection.parse(scheduler), new Seed(round).part(scheduler)));
        }
        if (scheduler.contains("max_utilization") || scheduler.startsWith("continuous")) {
            assertThat(met.preemptions()).as("requests that were computed again").isPositive();
        }
        if (scheduler.startsWith("continuous")) {
            assertThat(met.cachedPrompts() > 0).as("prompts that began behind cached blocks")
                    .isNotEqualTo(scheduler.contains("prefix_caching=false"));
        }
        if (scheduler.startsWith("disaggregated")) {
            assertThat(met.moves()).as("requests that moved").isPositive();
        }
    }

    /// What the requests of a load went through, so that a test can say that it was there to go through.
    private record Met(int preemptions, int moves, long cachedPrompts) {
        private Met plus(Met other) {
            return new Met(preemptions + other.preemptions, moves + other.moves, cachedPrompts + other.cachedPrompts);
        }
    }

    @ParameterizedTest
    @MethodSource("registered")
    void everySchedulerAgreesWithRandomOptions(String scheduler) throws Exception {
        SchedulerDescription<?> description = REGISTRY.find(scheduler);
        for (int round = 0; round < ROUNDS; round++) {
            Seed seed = new Seed(100 + round).part(scheduler);
            serve(round, DrawnOptions.of(description, seed), seed);
        }
    }

    /// The kernels against the plain forward pass on the tokens that were chosen: each greedy token is the plain pass's likeliest, or
    /// as good as, within the rounding of prompts.
    @Test
    void singleRequestGetsTheReferenceTokens() {
        for (ServedLoad load : loads) {
            for (Request request : load.requests().stream().filter(request -> request.sampling().greedy()).limit(3)
                    .toList()) {
                ReferenceForward reference = new ReferenceForward(load.model().shape(), load.model().weights());
                double[] logits = Arrays.stream(request.promptTokens()).mapToObj(reference::next)
                        .reduce((before, last) -> last).orElseThrow();
                for (int token : load.answers().get(request.id().index()).tokens()) {
                    assertThat(logits[token])
                            .isGreaterThanOrEqualTo(Arrays.stream(logits).max().orElseThrow() - ROUNDING);
                    logits = reference.next(token);
                }
            }
        }
    }

    /// Serves the round's load with drawn limits, lanes and blocks.
    private Met serve(int round, Selection selection, Seed seed) throws Exception {
        RandomGenerator random = seed.part("engine").generator();
        Limits limits = new Limits(1 + random.nextInt(8), ServedLoad.LONGEST_PROMPT + random.nextInt(100),
                ServedLoad.MOST_POSITIONS);
        int blocks = Math.ceilDiv(ServedLoad.MOST_POSITIONS, ServedLoad.BLOCK_TOKENS) + 2 + random.nextInt(20);
        return serve(loads.get(round % LOADS), selection, limits, blocks, 1 + random.nextInt(3), 1 + round % 2);
    }

    /// @param blocks of the smallest pool
    private static Met serve(ServedLoad load, Selection selection, Limits limits, int blocks, int lanes, int threads)
            throws Exception {
        SchedulerDescription<?> description = REGISTRY.find(selection.name());
        LaneLayout layout = description.layout(selection, lanes);
        HostOptions options = ServedLoad.options(threads, lanes);
        long kvBytes = (long) Math.ceil((blocks + 1) / Collections.min(layout.poolShares()))
                * KvCache.blockBytes(load.model().shape(), options);
        ExecutorSizes sizes = new ExecutorSizes(kvBytes, limits.maxStepPositions(), limits.maxSequencePositions(),
                limits.maxBatchRows());
        EventJournal journal = new EventJournal();
        CountDownLatch ended = new CountDownLatch(load.requests().size());
        try (LogitsKept executor = new LogitsKept(HostExecutor.open(load.model().shape(), load.model().weights(),
                options, layout, sizes, new SystemClock()));
                EngineLoop loop = EngineLoop.start(executor, limits, description.create(selection), new SystemClock(),
                        new CountingListener(journal, ended), journal)) {
            load.requests().forEach(loop::send);
            loop.arrivalsEnded();
            assertThat(ended.await(60, TimeUnit.SECONDS)).as("all requests end").isTrue();
            loop.close();
            String setting = selection + ", " + limits + ", " + blocks + " blocks, " + executor.description();
            assertThat(journal.faults).as(setting).isEmpty();
            assertThat(journal.failures).as(setting).isEmpty();
            requireTheAnswers(load, description.create(selection), limits, journal, setting);
            int compared = 0;
            for (StepReport step : journal.steps) {
                LogitsKept.Kept kept = executor.kept().get(step.number());
                compared += kept == null ? 0 : requireTheBits(load, step.slices(), kept, setting);
            }
            assertThat(compared).as("tokens whose logits were compared")
                    .isEqualTo(journal.tokens.values().stream().mapToInt(List::size).sum());
        }
        long cached = journal.admissions.stream().filter(admission -> !admission.endsWith(" with 0 cached")).count();
        return new Met(journal.preemptions.size(), journal.moves.size(), cached);
    }

    private static void requireTheAnswers(ServedLoad load, Scheduler asked, Limits limits, EventJournal journal,
            String setting) {
        for (Request request : load.requests()) {
            int id = request.id().index();
            if (asked.faults(limits, request.promptTokens().length, request.totalPositions()).isEmpty()) {
                assertThat(journal.ends.get(id)).as(setting + ": " + journal.reasons.get(id))
                        .isEqualTo(RequestStatus.OK);
                assertThat(journal.tokens.get(id)).as("tokens of request %d under %s", id, setting)
                        .isEqualTo(Arrays.stream(load.answers().get(id).tokens()).boxed().toList());
            } else {
                assertThat(journal.ends.get(id)).as(setting).isEqualTo(RequestStatus.REFUSED);
            }
        }
    }

    /// Holds the logits of a step's sampled slices against those of each request alone; answers how many there were.
    private static int requireTheBits(ServedLoad load, StepSlices slices, LogitsKept.Kept kept, String setting) {
        int next = 0;
        for (int i = 0; i < slices.size(); i++) {
            if (kept.step().slices().get(i).sample()) {
                int request = slices.request(i);
                int end = slices.from(i) + slices.count(i);
                float[] alone =
                        load.answers().get(request).logits()[end - load.requests().get(request).promptTokens().length];
                assertThat(kept.logits()[next++])
                        .as("logits of request %d after position %d under %s", request, end, setting)
                        .containsExactly(alone);
            }
        }
        return next;
    }
}
