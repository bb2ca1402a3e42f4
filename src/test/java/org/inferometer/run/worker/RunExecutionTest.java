package org.inferometer.run.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.inferometer.engine.Engine;
import org.inferometer.engine.build.EngineBuilder;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.execution.Backend;
import org.inferometer.execution.Backends;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob;
import org.inferometer.execution.StepOutcome;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.Subject;
import org.inferometer.measurement.RunFigures;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.record.HarnessCeiling;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.Phase;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.SamplePlans;
import org.inferometer.record.Verdict;
import org.inferometer.results.ResultFiles;
import org.inferometer.run.InstantBackend;
import org.inferometer.run.InstantExecutor;
import org.inferometer.run.SplitScheduler;
import org.inferometer.run.WorkerFrame;
import org.inferometer.run.WorkerProtocol;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.PoolId;
import org.inferometer.scheduling.SchedulerDescription;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.target.NullTargetKind;
import org.inferometer.target.TargetKind.TargetKinds;
import org.inferometer.units.Clock;
import org.inferometer.units.SystemClock;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunExecutionTest {
    private static final MachineDescription MACHINE =
            new MachineDescription("os", "arch", "cpu", 1, 2, 8L << 30, "java", 256, List.of(), "test");

    private static final SchedulerRegistry SCHEDULERS = new SchedulerRegistry(
            Stream.concat(SchedulerRegistry.standard().descriptions().stream(), Stream.of(SplitScheduler.DESCRIPTION))
                    .toList());

    @TempDir
    static Path engines;

    @TempDir
    Path folder;

    private final ResultFiles store = new ResultFiles();
    private final RunExecution execution = new RunExecution(SCHEDULERS, new Backends(List.of(new InstantBackend())),
            new TargetKinds(List.of(new NullTargetKind())), store, MACHINE, new SystemClock()).warmingUp(WarmUp.ONCE);

    @BeforeAll
    static void buildAnEngine() throws IOException, EngineFormatException {
        Path recipe = Files.createDirectories(engines.resolve("tiny-int4")).resolve("recipe.yaml");
        Files.copy(Path.of("engines/tiny-int4/recipe.yaml"), recipe);
        new EngineBuilder().build(new EngineCatalog(engines).find("tiny-int4"), fraction -> {});
    }

    @Test
    void aRunLeavesACompleteRecordAndEveryTokenIsInIt() throws IOException {
        List<WorkerFrame> frames = new ArrayList<>();
        WorkerFrame.Finished finished =
                execution.execute(plan(new ArrivalProcess.ClosedLoop(4), 30), frames::add, new AtomicBoolean());
        assertThat(finished).isEqualTo(new WorkerFrame.Finished(RunStatus.COMPLETE, ""));
        RunRecord record = store.readRun(folder.resolve("run"));
        assertThat(record.notes()).isEmpty();
        assertThat(record.manifest().status()).isEqualTo(RunStatus.COMPLETE);
        List<RequestOutcome> requests = record.observations().requests();
        assertThat(requests).hasSize(33)
                .allMatch(request -> request.ok() && request.outputTokens() == request.askedOutputTokens());
        assertThat(requests.stream().filter(RequestOutcome::warmUp)).hasSize(3);
        assertThat(requests).allMatch(request -> request.intendedNanos() <= request.sentNanos()
                && request.sentNanos() <= request.admittedNanos()
                && request.admittedNanos() <= request.firstTokenNanos()
                && request.firstTokenNanos() <= request.lastTokenNanos());
        assertThat(record.observations().steps()).isNotEmpty();
        assertThat(record.observations().telemetry()).isNotEmpty();
        assertThat(RunFigures.of(record.observations())).extracting(figure -> figure.metric().id())
                .contains("output_throughput", "ttft_p50");
        assertThat(record.manifest().outcome().verdict()).isNotNull();
        assertThat(frames.stream().filter(WorkerFrame.PhaseStarted.class::isInstance)
                .map(frame -> ((WorkerFrame.PhaseStarted) frame).phase()))
                .containsExactly(Phase.LOAD, Phase.WARM_UP, Phase.MEASURE, Phase.ANALYSE);
    }

    @Test
    void promptsAndAnswersAreKeptOnRequest() throws IOException, OptionException {
        RunPlan plan = plan(new ArrivalProcess.ClosedLoop(4), 5);
        RunPlan keeping = new RunPlan(plan.index(), plan.subject(), plan.workload(), plan.folder(),
                new RunPlan.Procedure(3, 1, 20, true), plan.goal(), null);
        execution.execute(keeping, frame -> {}, new AtomicBoolean());
        RunRecord record = store.readRun(folder.resolve("run"));
        List<RunEvent.RequestText> texts = record.events().stream().filter(RunEvent.RequestText.class::isInstance)
                .map(RunEvent.RequestText.class::cast).toList();
        assertThat(texts).extracting(RunEvent.RequestText::request)
                .containsExactlyInAnyOrderElementsOf(record.observations().requests().stream()
                        .filter(request -> !request.warmUp()).map(RequestOutcome::id).toList());
        assertThat(texts).allSatisfy(text -> {
            assertThat(text.prompt()).isNotEmpty();
            assertThat(text.answer()).isNotEmpty();
        });
        RunPlan silent = plan(Selection.of("simple"), folder.resolve("silent"), 5);
        execution.execute(silent, frame -> {}, new AtomicBoolean());
        assertThat(store.readRun(folder.resolve("silent")).events()).noneMatch(RunEvent.RequestText.class::isInstance);
    }

    @Test
    void everySchedulerLeavesACompleteRecordWithItsLanes() throws IOException, OptionException {
        for (SchedulerDescription<?> description : SCHEDULERS.descriptions()) {
            Path run = folder.resolve("run-" + description.name());
            RunPlan plan = plan(Selection.of(description.name()), run, 8);
            assertThat(execution.execute(plan, frame -> {}, new AtomicBoolean())).as(description.name())
                    .isEqualTo(new WorkerFrame.Finished(RunStatus.COMPLETE, ""));
            RunRecord record = store.readRun(run);
            assertThat(record.notes()).isEmpty();
            assertThat(record.observations().setup().lanes()).isEqualTo(SamplePlans.engine(plan).layout().lanes());
            assertThat(record.observations().events().stream().filter(RunEvent.Admitted.class::isInstance))
                    .as(description.name()).hasSize(11);
            assertThat(record.observations().setup().laneThreads()).containsExactlyElementsOf(SamplePlans.engine(plan)
                    .layout().lanes().stream().map(lane -> lane.role() == Lane.Role.TRANSFER ? 0 : 1).toList());
        }
    }

    @Test
    void movesAreInTheRecordAsStepsAndAsEvents() throws IOException, OptionException {
        execution.execute(plan(Selection.of("split"), folder.resolve("run"), 8), frame -> {}, new AtomicBoolean());
        RunRecord record = store.readRun(folder.resolve("run"));
        long movers = record.observations().requests().stream().filter(request -> request.outputTokens() > 1).count();
        assertThat(record.observations().steps().stream().filter(step -> step.movedBytes() > 0)).hasSize((int) movers);
        assertThat(record.events().stream().filter(RunEvent.KvTransferred.class::isInstance)
                .map(RunEvent.KvTransferred.class::cast)).hasSize((int) movers)
                .allSatisfy(moved -> assertThat(List.of(moved.from(), moved.to()))
                        .isEqualTo(List.of(new PoolId(0), new PoolId(1))));
        assertThat(RunFigures.of(record.observations())).extracting(figure -> figure.metric().id()).contains("moves",
                "moved_bytes", "lane_utilisation");
    }

    private RunPlan plan(Selection scheduler, Path runFolder, int requests) throws OptionException {
        RunPlan plan = plan(new ArrivalProcess.ClosedLoop(4), requests);
        Cell cell = SamplePlans.cell(SamplePlans.engine(plan.cell()).engine(), scheduler, plan.workload(),
                SamplePlans.engine(plan.cell()).backend());
        return SamplePlans.plan(plan.index().experiment(), 0, 0, cell, 0, SamplePlans.engine(plan).engineFolder(),
                runFolder.toString(), 3, 1, 20, 1 << 20, SamplePlans.engine(plan).limits(),
                SCHEDULERS.find(scheduler.name()).layout(scheduler, 0));
    }

    @Test
    void targetRunsWithoutEngineAndOmitsClientMemory() throws IOException {
        Selection target = Selection.parse("null:name=nothing");
        Cell cell = new Cell(new Subject.TargetSubject(target), plan(new ArrivalProcess.ClosedLoop(4), 30).workload());
        RunPlan plan = SamplePlans.plan("x", 0, 0, cell, 0, "", folder.resolve("run").toString(), 3, 1, 20, 0,
                new Limits(0, 0, 0), LaneLayout.sharing(1)).withCeiling(new HarnessCeiling(1e-3, 0));
        assertThat(execution.execute(plan, frame -> {}, new AtomicBoolean()))
                .isEqualTo(new WorkerFrame.Finished(RunStatus.COMPLETE, ""));
        RunRecord record = store.readRun(folder.resolve("run"));
        assertThat(record.manifest().system().target()).isEqualTo("null:name=nothing");
        assertThat(record.observations().requests()).hasSize(33).allMatch(RequestOutcome::ok);
        assertThat(record.observations().setup().computesHere()).isFalse();
        assertThat(record.manifest().outcome().verdict().conditions())
                .filteredOn(condition -> condition.name().equals("load generator below 50 % of its ceiling"))
                .extracting(Verdict.Condition::state).containsExactly(Verdict.State.BROKEN);
        assertThat(RunFigures.of(record.observations())).extracting(figure -> figure.metric().id())
                .contains("output_throughput").doesNotContain("memory_peak_total", "device_utilisation");
    }

    @Test
    void resultsMovedWhileLoadingAreNotCreatedAgain() throws OptionException {
        Path gone = folder.resolve("gone");
        WorkerFrame.Finished finished = execution.execute(plan(Selection.of("split"), gone.resolve("run"), 8),
                frame -> {}, new AtomicBoolean());
        assertThat(finished).isEqualTo(new WorkerFrame.Finished(RunStatus.FAILED,
                "The folder " + gone.resolve("run") + " was moved or deleted while the run was measured."));
        assertThat(gone).doesNotExist();
    }

    @Test
    void aCancelledRunKeepsWhatItHas() throws IOException {
        AtomicBoolean cancelled = new AtomicBoolean();
        WorkerFrame.Finished finished = execution.execute(plan(new ArrivalProcess.Poisson(0.01), 30), frame -> {
            if (frame instanceof WorkerFrame.PhaseStarted(Phase phase, long nanos) && phase == Phase.MEASURE) {
                cancelled.set(true);
            }
        }, cancelled);
        assertThat(finished.status()).isEqualTo(RunStatus.CANCELLED);
        RunRecord record = store.readRun(folder.resolve("run"));
        assertThat(record.manifest().status()).isEqualTo(RunStatus.CANCELLED);
        assertThat(record.observations().requests()).hasSize(3).allMatch(RequestOutcome::warmUp);
    }

    @Test
    void earlyCancelWaitsForNeitherBackendNorWarmUp() throws IOException {
        AtomicBoolean cancelled = new AtomicBoolean();
        List<String> opened = new ArrayList<>();
        Consumer<WorkerFrame> whileLoading = frame -> cancelled.set(true);
        assertThat(execution(opened::add).execute(plan(new ArrivalProcess.ClosedLoop(4), 30), whileLoading, cancelled))
                .isEqualTo(new WorkerFrame.Finished(RunStatus.CANCELLED, ""));
        assertThat(opened).isEmpty();
        assertThat(store.readRun(folder.resolve("run")).manifest().status()).isEqualTo(RunStatus.CANCELLED);
    }

    @Test
    void whoCancelsWhileTheBackendOpensKeepsARecordWithoutARequest() throws IOException {
        AtomicBoolean cancelled = new AtomicBoolean();
        Consumer<String> whileOpening = name -> cancelled.set(true);
        assertThat(execution(whileOpening).execute(plan(new ArrivalProcess.ClosedLoop(4), 30), frame -> {}, cancelled))
                .isEqualTo(new WorkerFrame.Finished(RunStatus.CANCELLED, ""));
        RunRecord record = store.readRun(folder.resolve("run"));
        assertThat(record.manifest().status()).isEqualTo(RunStatus.CANCELLED);
        assertThat(record.observations().requests()).isEmpty();
    }

    /// Runs on a backend that has nothing left to do: a step fails.
    ///
    /// @param opening hears the backend's name when it is opened
    private RunExecution execution(Consumer<String> opening) {
        Backend heard = new InstantBackend() {
            @Override
            public Executor open(Engine engine, Selection selection, LaneLayout layout, Limits limits, long kvBytes,
                    Clock clock) {
                opening.accept(name());
                return new InstantExecutor(clock, layout, kvBytes) {
                    @Override
                    public void submit(Lane lane, LaneJob job, Consumer<StepOutcome> whenDone) {
                        whenDone.accept(new StepOutcome.Failed(new ExecutorException("Nobody wants this step.")));
                    }
                };
            }
        };
        return new RunExecution(SCHEDULERS, new Backends(List.of(heard)),
                new TargetKinds(List.of(new NullTargetKind())), store, MACHINE, new SystemClock());
    }

    @Test
    void differentPromptsOfAFileAreCounted() throws IOException {
        Path file = Files.writeString(folder.resolve("prompts.txt"), "one\ntwo\none\n");
        WorkloadSpec load = plan(new ArrivalProcess.ClosedLoop(4), 30).workload().withPromptFile(file.toString());
        Cell cell = new Cell(new Subject.TargetSubject(Selection.parse("null:name=nothing")), load);
        RunPlan plan = SamplePlans.plan("x", 0, 0, cell, 0, "", folder.resolve("run").toString(), 3, 1, 20, 0,
                new Limits(0, 0, 0), LaneLayout.sharing(1));
        execution.execute(plan, frame -> {}, new AtomicBoolean());
        assertThat(store.readRun(folder.resolve("run")).events()).filteredOn(RunEvent.PromptTexts.class::isInstance)
                .singleElement().extracting(event -> ((RunEvent.PromptTexts) event).different()).isEqualTo(2);
    }

    @Test
    void aDamagedEngineIsARecordThatSaysSo() throws IOException {
        Path damaged = Files.createDirectories(folder.resolve("tiny-int4"));
        Files.copy(engines.resolve("tiny-int4/engine.json"), damaged.resolve("engine.json"));
        byte[] bytes = Files.readAllBytes(engines.resolve("tiny-int4/weights.safetensors"));
        Files.write(damaged.resolve("weights.safetensors"), Arrays.copyOf(bytes, bytes.length / 2));
        RunPlan plan = plan(damaged, new ArrivalProcess.ClosedLoop(4), 5);
        WorkerFrame.Finished finished = execution.execute(plan, frame -> {}, new AtomicBoolean());
        assertThat(finished.status()).isEqualTo(RunStatus.FAILED);
        assertThat(finished.failure()).contains("weights.safetensors");
        assertThat(store.readRun(folder.resolve("run")).manifest().outcome().failure()).isEqualTo(finished.failure());
    }

    @Test
    void aWorkerAnswersInFramesAndReturnsItsExitCode() throws IOException {
        WorkerProtocol protocol = new WorkerProtocol();
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        RunPlan plan = plan(new ArrivalProcess.ClosedLoop(4), 5);
        // Its host made it.
        Files.createDirectories(folder.resolve(plan.folder()));
        String input = protocol.line(WorkerProtocol.Order.of(folder, plan)) + "\n";
        assertThat(worker(input, output).run()).isZero();
        List<WorkerFrame> frames = output.toString(StandardCharsets.UTF_8).lines().map(protocol::frame).toList();
        assertThat(frames.getFirst()).isInstanceOf(WorkerFrame.PhaseStarted.class);
        assertThat(frames.getLast()).isEqualTo(new WorkerFrame.Finished(RunStatus.COMPLETE, ""));
    }

    @Test
    void aWorkerWithoutAPlanSaysWhatItExpects() throws IOException {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        assertThat(worker("", output).run()).isEqualTo(2);
        assertThat(output.toString(StandardCharsets.UTF_8)).contains("not a valid order");
    }

    private Worker worker(String input, ByteArrayOutputStream output) {
        ByteArrayInputStream in = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
        return new Worker(execution, in, new PrintStream(output, false, StandardCharsets.UTF_8));
    }

    private RunPlan plan(ArrivalProcess arrivals, int requests) {
        return plan(engines.resolve("tiny-int4"), arrivals, requests);
    }

    private RunPlan plan(Path engine, ArrivalProcess arrivals, int requests) {
        WorkloadSpec workload = new WorkloadPresets().find("basic").withArrivals(arrivals).withRequests(requests);
        Cell cell = SamplePlans.cell("tiny-int4", Selection.of("simple"), workload, Selection.of("host"));
        return SamplePlans.plan("experiment", 0, 0, cell, 0, engine.toString(), folder.resolve("run").toString(), 3, 1,
                20, 1 << 20, new Limits(4, 512, 64), LaneLayout.sharing(1));
    }
}
