package org.inferometer.execution.cuda.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.Precision;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.backend.ExecutorRun;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.execution.cuda.device.CudaOptions;
import org.inferometer.execution.cuda.device.CudaOptions.Gemm;
import org.inferometer.execution.cuda.device.CudaOptions.KvDtype;
import org.inferometer.execution.cuda.emulated.EmulatedDriver;
import org.inferometer.execution.cuda.emulated.EmulatedDriver.Count;
import org.inferometer.execution.cuda.emulated.EmulatedDriver.Setting;
import org.inferometer.options.Selection;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.StepReport;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.serving.EventJournal;
import org.inferometer.serving.SteppedEngine;
import org.inferometer.units.LongForm;
import org.inferometer.units.SystemClock;
import org.inferometer.workload.Arrival;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.Sampling;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Steps behind running ones, against the same steps one by one.
@Timeout(120)
class QueuedStepsEmulatedTest {
    private static final int BLOCK_TOKENS = 4;
    private static final Limits LIMITS = new Limits(6, 64, 64);

    private final RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.LLAMA), Precision.INT4, 7);
    private EmulatedDriver driver;

    @BeforeEach
    void freshDriver() {
        driver = EmulatedDriver.load().set(Setting.COMPUTE_CAPABILITY, 90);
    }

    @ParameterizedTest
    @CsvSource({"continuous, true, true", "simple, true, false", "parallel, true, true"})
    void bothDepthsGiveTheSameTokensAndSteps(String scheduler, boolean graphs, boolean dependent) throws Exception {
        Run plain = run(scheduler, options(graphs, dependent, 0), 60, false);
        Run queueing = run(scheduler, options(graphs, dependent, 1), 60, false);

        assertThat(plain.queuedSteps).isZero();
        assertThat(queueing.queuedSteps > 0).isEqualTo(!scheduler.equals("parallel"));
        assertThat(queueing.journal.tokens).isEqualTo(plain.journal.tokens);
        assertThat(queueing.journal.ends).hasSize(8).isEqualTo(plain.journal.ends);
        assertThat(counts(queueing)).isEqualTo(counts(plain));
        assertStepsDoNotOverlap(queueing);
    }

    @ParameterizedTest
    @CsvSource({"continuous, false, true", "naive, true, true", "dynamic:batch_size=6, false, false"})
    @LongForm
    void bothDepthsGiveTheSameWithoutGraphsToo(String scheduler, boolean graphs, boolean dependent) throws Exception {
        bothDepthsGiveTheSameTokensAndSteps(scheduler, graphs, dependent);
    }

    @ParameterizedTest
    @ValueSource(strings = "continuous")
    void aPoolThatIsTooSmallGivesTheSameTokens(String scheduler) throws Exception {
        Run plain = run(scheduler, options(true, true, 0), 16, false);
        Run queueing = run(scheduler, options(true, true, 1), 16, false);

        assertThat(queueing.queuedSteps).isPositive();
        assertThat(queueing.journal.preemptions).isNotEmpty().isEqualTo(plain.journal.preemptions);
        assertThat(queueing.journal.tokens).isEqualTo(plain.journal.tokens);
        assertThat(counts(queueing)).isEqualTo(counts(plain));
    }

    @ParameterizedTest
    @ValueSource(strings = "simple:policy=max_utilization")
    @LongForm
    void aPoolThatIsTooSmallForOthersGivesTheSame(String scheduler) throws Exception {
        aPoolThatIsTooSmallGivesTheSameTokens(scheduler);
    }

    @ParameterizedTest
    @ValueSource(strings = "continuous")
    void arrivalsAndCancelsInTheMiddleChangeNoAnswer(String scheduler) throws Exception {
        Run plain = run(scheduler, options(true, true, 0), 60, true);
        Run queueing = run(scheduler, options(true, true, 1), 60, true);

        assertThat(queueing.queuedSteps).isPositive();
        assertThat(queueing.journal.ends).hasSize(10).isEqualTo(plain.journal.ends).containsEntry(3,
                RequestStatus.CANCELLED);
        queueing.journal.tokens.forEach((id, tokens) -> {
            List<Integer> expected = plain.journal.tokens.get(id);
            int both = Math.min(expected.size(), tokens.size());
            assertThat(tokens.subList(0, both)).as("request %d", id).isEqualTo(expected.subList(0, both));
            assertThat(id == 3 || expected.size() == tokens.size()).isTrue();
        });
        assertStepsDoNotOverlap(queueing);
    }

    @ParameterizedTest
    @ValueSource(strings = {"simple", "naive"})
    @LongForm
    void arrivalsAndCancelsChangeNoAnswerOfOthers(String scheduler) throws Exception {
        arrivalsAndCancelsInTheMiddleChangeNoAnswer(scheduler);
    }

    @Test
    void aLostDeviceFailsTheQueuedStepToo() throws Exception {
        try (Executor executor = open(options(true, true, 1), 60)) {
            SteppedEngine engine = engine(executor, "continuous");
            engine.send(0, request(0, 5, 20, Sampling.GREEDY));
            engine.cancel(6, new RequestId(7));
            driver.set(Setting.FAIL_LAUNCH, 200);
            EventJournal journal = engine.run();

            assertThat(journal.failures).hasSize(1);
            assertThat(journal.ends).containsEntry(0, RequestStatus.FAILED);
            assertThat(journal.faults).isEmpty();
            assertThat(engine.queuedSteps()).isPositive();
            assertThat(engine.left()).isZero();
        }
    }

    @Test
    void aQueuedStepStartsWhenTheRunningOneEnds() throws Exception {
        try (CudaRun run = new CudaRun(open(options(true, true, 1), 60))) {
            int first = run.step(0, run.slice(0, 0, new int[]{1, 2, 3}, true)).tokens()[0];
            int[] alone = {decode(run, 3, first, false).join(), 0};
            alone[1] = decode(run, 4, alone[0], false).join();

            driver.set(Setting.HOLD_KERNELS, 1);
            CompletableFuture<StepOutcome> running = submit(run, 3, first, false);
            CompletableFuture<StepOutcome> queued = submit(run, 4, 0, true);
            try {
                assertThatIllegalStateException().isThrownBy(() -> submit(run, 5, 0, true))
                        .withMessageContaining("still busy");
                awaitCount(Count.GRAPH_LAUNCHES, 4);
                assertThat(running).isNotDone();
            } finally {
                // A lane whose kernels are held would never close.
                driver.set(Setting.HOLD_KERNELS, 0);
            }

            StepOutcome.Completed one = ExecutorRun.completed(running);
            StepOutcome.Completed other = ExecutorRun.completed(queued);
            assertThat(new int[]{one.tokens()[0], other.tokens()[0]}).isEqualTo(alone);
            assertThat(other.startNanos()).isEqualTo(one.endNanos());
        }
    }

    /// Kernels are held until both steps are in the queue, and the host reads the tokens of the first when the second has
    /// ended too.
    @ParameterizedTest
    @CsvSource({"true, true", "false, false"})
    void queuedStepsShareNeitherTablesNorTokens(boolean graphs, boolean dependent) throws Exception {
        List<List<Integer>> expected = new ArrayList<>();
        long calls = 0;
        try (CudaRun run = new CudaRun(open(options(graphs, dependent, 0), 300))) {
            List<Integer> tokens = prompts(run);
            for (int step = 0; step < 4; step++) {
                long before = driver.count(Count.LAUNCH_CALLS);
                expected.add(tokens = tokens(submit(run, step, tokens, false)));
                calls = driver.count(Count.LAUNCH_CALLS) - before;
            }
        }
        assertThat(expected).doesNotHaveDuplicates();

        List<List<Integer>> actual = new ArrayList<>();
        try (CudaRun run = new CudaRun(open(options(graphs, dependent, 1), 300))) {
            List<Integer> tokens = prompts(run);
            driver.set(Setting.LATE_HOST, 1);
            for (int step = 0; step < 4; step += 2) {
                Count launched = graphs ? Count.GRAPH_LAUNCHES : Count.LAUNCH_CALLS;
                long before = driver.count(launched);
                driver.set(Setting.HOLD_KERNELS, 1);
                CompletableFuture<StepOutcome> running = submit(run, step, tokens, false);
                CompletableFuture<StepOutcome> queued = submit(run, step + 1, tokens, true);
                try {
                    awaitCount(launched, before + 2 * (graphs ? 1 : calls));
                } finally {
                    driver.set(Setting.HOLD_KERNELS, 0);
                }
                actual.add(tokens(running));
                actual.add(tokens = tokens(queued));
            }
        }
        assertThat(actual).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"true, false", "false, true"})
    @LongForm
    void queuedStepsShareNothingInOtherModesToo(boolean graphs, boolean dependent) throws Exception {
        queuedStepsShareNeitherTablesNorTokens(graphs, dependent);
    }

    @Test
    void aStepWithoutTheTokensOfTheOneBeforeFails() throws Exception {
        try (CudaRun run = new CudaRun(open(options(true, true, 1), 60))) {
            assertThat(submit(run, 3, 0, true).join()).isInstanceOfSatisfying(StepOutcome.Failed.class,
                    failed -> assertThat(failed.cause()).hasMessage(
                            "Step 3 needs the tokens of the step before, which " + "failed; the log has its failure."));
        }
        try (CudaRun run = new CudaRun(open(options(true, true, 0), 60))) {
            assertThat(submit(run, 3, 0, true).join()).isInstanceOfSatisfying(StepOutcome.Failed.class,
                    failed -> assertThat(failed.cause())
                            .hasMessage("A step repeats the one before, but this executor queues no steps."));
        }
    }

    @Test
    void theOptionIsInTheRecordAndItsMemoryIsCounted() throws Exception {
        try (Executor plain = open(options(true, true, 0), 60); Executor queueing = open(options(true, true, 1), 60)) {
            assertThat(plain.queuedSteps()).isZero();
            assertThat(queueing.queuedSteps()).isEqualTo(1);
            assertThat(plain.description()).doesNotContain("queued");
            assertThat(queueing.description()).contains(", 1 queued step,");
            assertThat(queueing.memory().workspaceBytes()).isGreaterThan(plain.memory().workspaceBytes());
        }
        for (Count count : Count.values()) {
            if (count.name().startsWith("LIVE") || count.name().startsWith("LEAKED")) {
                assertThat(driver.count(count)).as(count.name()).isZero();
            }
        }
    }

    private static CompletableFuture<Integer> decode(CudaRun run, int position, int token, boolean repeats) {
        return submit(run, position, token, repeats)
                .thenApply(outcome -> ((StepOutcome.Completed) outcome).tokens()[0]);
    }

    /// A step of the sequence 0 whose number is the position.
    private static CompletableFuture<StepOutcome> submit(CudaRun run, int position, int token, boolean repeats) {
        CompletableFuture<StepOutcome> done = new CompletableFuture<>();
        List<StepSlice> slices = List.of(run.slice(0, position, new int[]{token}, true));
        run.executor().submit(run.executor().lanes().getFirst(), new Step(position, slices, 0, false, repeats),
                done::complete);
        return done;
    }

    /// Prompts of 3, 4 and 5 tokens in a step each; returns the next token of each sequence.
    private static List<Integer> prompts(CudaRun run) throws Exception {
        List<Integer> tokens = new ArrayList<>();
        for (int sequence = 0; sequence < 3; sequence++) {
            int[] prompt = IntStream.rangeClosed(1, 3 + sequence).map(token -> 7 * token).toArray();
            tokens.add(run.step(0, run.slice(sequence, 0, prompt, true)).tokens()[0]);
        }
        return tokens;
    }

    /// A step of three sequences after [#prompts], of this number among them.
    private static CompletableFuture<StepOutcome> submit(CudaRun run, int number, List<Integer> tokens,
            boolean repeats) {
        List<StepSlice> slices = IntStream.range(0, 3)
                .mapToObj(each -> run.slice(each, 3 + each + number, new int[]{repeats ? 0 : tokens.get(each)}, true))
                .toList();
        CompletableFuture<StepOutcome> done = new CompletableFuture<>();
        run.executor().submit(run.executor().lanes().getFirst(), new Step(number, slices, 0, false, repeats),
                done::complete);
        return done;
    }

    private static List<Integer> tokens(CompletableFuture<StepOutcome> outcome) throws Exception {
        return IntStream.of(ExecutorRun.completed(outcome).tokens()).boxed().toList();
    }

    private void awaitCount(Count count, long least) throws InterruptedException {
        while (driver.count(count) < least) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            Thread.onSpinWait();
        }
    }

    private record Run(EventJournal journal, int queuedSteps) {}

    /// Eight requests of different lengths, half of them drawn; then two in the middle while one is cancelled.
    private Run run(String scheduler, CudaOptions options, int blocks, boolean middle) throws Exception {
        try (Executor executor = open(options, blocks)) {
            SteppedEngine engine = engine(executor, scheduler);
            for (int id = 0; id < 8; id++) {
                Sampling sampling = id % 2 == 0 ? Sampling.GREEDY : new Sampling(0.9, 20, 0.9, id);
                engine.send(0, request(id, 3 + id, 4 + 5 * (id % 4), sampling));
            }
            if (middle) {
                engine.send(4, request(8, 9, 7, Sampling.GREEDY));
                engine.send(7, request(9, 2, 9, Sampling.GREEDY));
                engine.cancel(6, new RequestId(3));
            }
            EventJournal journal = engine.run();
            assertThat(journal.failures).isEmpty();
            assertThat(journal.faults).isEmpty();
            assertThat(engine.left()).isZero();
            return new Run(journal, engine.queuedSteps());
        }
    }

    private Request request(int id, int prompt, int output, Sampling sampling) {
        return new Request(new RequestId(id), CudaAgainstReferenceEmulatedTest.tokens(model, prompt, id), output,
                new Arrival.At(0), sampling);
    }

    private static List<String> counts(Run run) {
        return run.journal.steps.stream()
                .map(step -> step.number() + " " + step.slices() + " " + step.prefillPositions() + "+"
                        + step.decodeRows() + "+" + step.paddingRows() + " " + step.running() + "/" + step.waiting()
                        + " " + step.kvBlocksHeld())
                .toList();
    }

    private static void assertStepsDoNotOverlap(Run run) {
        long ended = 0;
        for (StepReport step : run.journal.steps) {
            assertThat(step.startNanos()).isBetween(ended, step.endNanos());
            ended = step.endNanos();
        }
    }

    private static SteppedEngine engine(Executor executor, String scheduler) throws Exception {
        return new SteppedEngine(executor, LIMITS, SchedulerRegistry.standard().create(Selection.parse(scheduler)));
    }

    private static CudaOptions options(boolean graphs, boolean dependent, int queuedSteps) {
        return new CudaOptions("0", 1, BLOCK_TOKENS, KvDtype.FP16, graphs, Gemm.OWN, dependent, queuedSteps);
    }

    private Executor open(CudaOptions options, int blocks) throws ExecutorException {
        long bytes = blocks * BLOCK_TOKENS * CudaExecutor.kvBytesPerToken(model.shape(), options);
        return CudaExecutor.open(model.shape(), model.weights(), options, LaneLayout.sharing(1),
                new ExecutorSizes(bytes, LIMITS.maxStepPositions(), LIMITS.maxSequencePositions(), 6),
                new SystemClock());
    }
}
