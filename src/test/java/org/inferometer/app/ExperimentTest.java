package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanException;
import org.inferometer.experiment.PlanFault;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.Phase;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.results.ResultLibrary;
import org.inferometer.run.BenchmarkService;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.RunningExperiment;
import org.inferometer.run.WorkerFrame;
import org.inferometer.run.Workspace;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.LongForm;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whole experiments with real engines in real worker processes.
@Execution(ExecutionMode.CONCURRENT)
class ExperimentTest {
    @TempDir
    Path folder;

    private BenchmarkService service;

    @BeforeEach
    void prepareAWorkspace() throws IOException {
        SmallestEngines.into(folder);
        service = new Program(new Workspace(folder), EnvironmentVariables.ofProcess(), HastyWorker.in(folder))
                .benchmarks(folder.resolve("results"));
    }

    @Test
    void enginesAreBuiltRunAndSummedUp() throws Exception {
        requireCells(2, "continuous");
    }

    @Test
    @LongForm
    void enginesRunUnderEachScheduler() throws Exception {
        requireCells(4, "naive", "continuous");
    }

    private void requireCells(int cells, String... schedulers) throws Exception {
        ExperimentSpec spec = spec(List.of("tiny-fp8", "tiny-int4"), List.of(schedulers), 6);
        RunningExperiment running = service.start(spec, new ExperimentListener() {});
        ExperimentManifest manifest = running.await();
        assertThat(manifest.failure()).isEmpty();
        assertThat(manifest.status()).isEqualTo(RunStatus.COMPLETE);
        assertThat(manifest.cells()).hasSize(cells).allMatch(cell -> cell.runs() == 1);
        assertThat(manifest.verdict()).isNotNull();
        ExperimentRecord read = new ResultLibrary(folder.resolve("results")).open(running.folder());
        assertThat(read.notes()).isEmpty();
        assertThat(read.manifest()).isEqualTo(manifest);
        assertThat(read.runs()).hasSize(cells).allMatch(
                run -> run.manifest().outcome().verdict() != null && run.manifest().system().syntheticWeights());
        assertThat(read.runs()).allMatch(run -> run.observations().requests().stream()
                .allMatch(request -> request.ok() && request.outputTokens() == request.askedOutputTokens()));
        assertThat(read.runs().stream().map(run -> run.manifest().workloadHash()).distinct()).hasSize(1);
    }

    @Test
    void aKilledWorkerLosesNothingThatWasWritten() throws Exception {
        WorkloadSpec patient = workload(new ArrivalProcess.Poisson(20), 2000);
        CountDownLatch someDone = new CountDownLatch(1);
        AtomicReference<RunRecord> record = new AtomicReference<>();
        ExperimentSpec spec = spec(List.of("tiny-int4"), List.of("continuous"), patient)
                .onTargetsOnly(List.of(Selection.parse("null:name=nothing")));
        RunningExperiment running = service.start(spec, new ExperimentListener() {
            @Override
            public void frame(RunPlan plan, WorkerFrame frame) {
                if (frame instanceof WorkerFrame.Live live && live.phase() == Phase.MEASURE && live.phaseDone() >= 5) {
                    someDone.countDown();
                }
            }

            @Override
            public void runEnded(RunPlan plan, RunRecord ended) {
                record.set(ended);
            }

            @Override
            public void ended(ExperimentManifest manifest) {
                someDone.countDown();
            }
        });
        someDone.await();
        // SIGKILL: the worker has no chance to say a word.
        ProcessHandle.current().children().filter(this::isOwnWorker).forEach(ProcessHandle::destroyForcibly);
        ExperimentManifest manifest = running.await();
        assertThat(manifest.status()).isEqualTo(RunStatus.FAILED);
        assertThat(manifest.failure())
                .matches("The worker was killed \\(SIGKILL; the machine may be out of memory\\)\\. "
                        + "\\d+ of 2000 requests are recorded\\.");
        assertThat(record.get().manifest().outcome())
                .isEqualTo(RunManifest.RunOutcome.of(RunStatus.FAILED, manifest.failure()));
        assertThat(new ResultLibrary(folder.resolve("results")).open(running.folder()).runs().getFirst().manifest())
                .isEqualTo(record.get().manifest());
        assertThat(record.get().observations().requests().stream().filter(RequestOutcome::ok)).isNotEmpty();
    }

    /// Other tests have processes of their own at the same time.
    private boolean isOwnWorker(ProcessHandle child) {
        return child.info().commandLine().filter(line -> line.contains(folder.toString())).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = "host.pack")
    void enginesTruncatedInMidRunFailInASentence(String file) throws Exception {
        Path engine = folder.resolve("engines/tiny-int4");
        ExperimentManifest manifest = truncating(engine.resolve(file));
        assertThat(manifest.status()).isEqualTo(RunStatus.FAILED);
        assertThat(manifest.failure())
                .contains("a file in " + engine + " was truncated while it was mapped, or its disk failed. "
                        + "Check it with \"inferometer engines verify tiny-int4\", or build the engine again.");
        assertThat(only().manifest().outcome().failure()).isEqualTo(manifest.failure());
        Matcher details = Pattern.compile("Details: (\\S+)\\.").matcher(manifest.failure());
        if (details.find()) {
            assertThat(Path.of(details.group(1)))
                    .isEqualTo(results().getFirst().folder().resolve(only().folderName()).resolve("worker-crash.log"))
                    .isNotEmptyFile();
        }
    }

    @Test
    @LongForm
    void weightsTruncatedInMidRunFailInASentence() throws Exception {
        enginesTruncatedInMidRunFailInASentence("weights.safetensors");
    }

    /// Compiled kernels report an unreadable mapping later than interpreted ones.
    @Test
    @LongForm
    void enginesTruncatedUnderCompiledKernelsFailInASentence() throws Exception {
        service = new Program(new Workspace(folder), EnvironmentVariables.ofProcess(), HastyWorker.thorough(folder))
                .benchmarks(folder.resolve("results"));
        Path engine = folder.resolve("engines/tiny-int4");
        for (int round = 0; round < 10; round++) {
            ExperimentManifest manifest =
                    truncating(engine.resolve(round % 2 == 0 ? "weights.safetensors" : "host.pack"));
            assertThat(manifest.status()).isEqualTo(RunStatus.FAILED);
            assertThat(manifest.failure()).contains("a file in " + engine + " was truncated while it was mapped");
            Files.delete(engine.resolve("engine.json"));
        }
    }

    private List<ResultLibrary.Entry> results() {
        return new ResultLibrary(folder.resolve("results")).list();
    }

    private RunRecord only() throws IOException {
        List<RunRecord> runs = new ResultLibrary(folder.resolve("results")).open(results().getFirst().folder()).runs();
        assertThat(runs).hasSize(1);
        return runs.getFirst();
    }

    /// An experiment whose engine loses the content of a file after some requests.
    private ExperimentManifest truncating(Path file) throws Exception {
        WorkloadSpec patient = workload(new ArrivalProcess.Poisson(20), 2000);
        CountDownLatch someDone = new CountDownLatch(1);
        RunningExperiment running =
                service.start(spec(List.of("tiny-int4"), List.of("continuous"), patient), new ExperimentListener() {
                    @Override
                    public void frame(RunPlan plan, WorkerFrame frame) {
                        if (frame instanceof WorkerFrame.Live live && live.phase() == Phase.MEASURE
                                && live.phaseDone() >= 5) {
                            someDone.countDown();
                        }
                    }

                    @Override
                    public void ended(ExperimentManifest manifest) {
                        someDone.countDown();
                    }
                });
        someDone.await();
        FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING).close();
        return running.await();
    }

    @Test
    void stoppingAWorkerOfTheProgramKeepsWhatWasMeasured() throws Exception {
        service = new Program(new Workspace(folder), EnvironmentVariables.ofProcess(), HastyWorker.thorough(folder))
                .benchmarks(folder.resolve("results"));
        WorkloadSpec patient = workload(new ArrivalProcess.Poisson(20), 2000);
        AtomicReference<RunningExperiment> handle = new AtomicReference<>();
        CountDownLatch started = new CountDownLatch(1);
        RunningExperiment running =
                service.start(spec(List.of("tiny-int4"), List.of("continuous"), patient), new ExperimentListener() {
                    @Override
                    public void frame(RunPlan plan, WorkerFrame frame) {
                        if (frame instanceof WorkerFrame.Live live && live.phase() == Phase.MEASURE
                                && live.phaseDone() >= 5) {
                            started.countDown();
                        }
                    }

                    @Override
                    public void ended(ExperimentManifest manifest) {
                        started.countDown();
                    }
                });
        handle.set(running);
        started.await();
        handle.get().cancel();
        ExperimentManifest manifest = running.await();
        assertThat(manifest.status()).isEqualTo(RunStatus.CANCELLED);
        ExperimentRecord read = new ResultLibrary(folder.resolve("results")).open(running.folder());
        assertThat(read.runs().getFirst().manifest().status()).isEqualTo(RunStatus.CANCELLED);
        assertThat(read.runs().getFirst().observations().requests().stream()
                .filter(request -> !request.warmUp() && request.ok())).hasSizeGreaterThanOrEqualTo(5);
    }

    @Test
    void twoExperimentsAtATimeAreRefusedInOneSentence() throws Exception {
        WorkloadSpec patient = workload(new ArrivalProcess.Poisson(20), 2000);
        CountDownLatch started = new CountDownLatch(1);
        RunningExperiment first =
                service.start(spec(List.of("tiny-int4"), List.of("continuous"), patient), new ExperimentListener() {
                    @Override
                    public void runStarted(RunPlan plan) {
                        started.countDown();
                    }

                    @Override
                    public void ended(ExperimentManifest manifest) {
                        started.countDown();
                    }
                });
        started.await();
        ExperimentManifest second =
                service.start(spec(List.of("tiny-int4"), List.of("naive"), 2), new ExperimentListener() {}).await();
        first.cancel();
        first.await();
        assertThat(second.status()).isEqualTo(RunStatus.FAILED);
        assertThat(second.failure()).isEqualTo("Another experiment is running in this program. Wait, or stop it.");
    }

    @Test
    void everyFaultOfAPlanIsSaidBeforeAnythingStarts() {
        ExperimentSpec broken = new ExperimentSpec("broken", List.of("tiny-int8"),
                List.of(Selection.of("contiguous"), Selection.parse("naive:batch=0,colour=blue")),
                List.of(workload(new ArrivalProcess.ClosedLoop(4), 3)), Selection.parse("host:threads=-1"), 0, 1, 1, 5,
                0, ExperimentSpec.AskedLimits.DEFAULTS);
        assertThatThrownBy(() -> service.start(broken, new ExperimentListener() {}))
                .isInstanceOfSatisfying(PlanException.class,
                        e -> assertThat(e.faults().stream().map(PlanFault::where)).containsExactly("engines",
                                "schedulers", "schedulers", "schedulers", "backend", "runs", "sample_every"))
                .hasMessageContaining("Did you mean tiny-int4").hasMessageContaining("Did you mean continuous?");
        assertThat(folder.resolve("results")).doesNotExist();
    }

    @Test
    void tooLittleMemoryForTheKvCacheSaysWhatIsNeededAndTheWaysOut() {
        ExperimentSpec small = new ExperimentSpec("small", List.of("tiny-int4"), List.of(Selection.of("simple")),
                List.of(workload(new ArrivalProcess.ClosedLoop(4), 3)), Selection.of("host"), 1, 1, 1, 100, 1024,
                ExperimentSpec.AskedLimits.DEFAULTS);
        assertThatThrownBy(() -> service.start(small, new ExperimentListener() {}))
                .hasMessageContaining("cannot hold one request").hasMessageContaining("Raise --kv-memory");
    }

    private static ExperimentSpec spec(List<String> engines, List<String> schedulers, int requests) {
        return spec(engines, schedulers, workload(new ArrivalProcess.ClosedLoop(4), requests));
    }

    private static ExperimentSpec spec(List<String> engines, List<String> schedulers, WorkloadSpec workload) {
        return new ExperimentSpec("test", engines, schedulers.stream().map(Selection::of).toList(), List.of(workload),
                Selection.of("host"), 1, 2, 1, 50, 0, ExperimentSpec.AskedLimits.DEFAULTS);
    }

    private static WorkloadSpec workload(ArrivalProcess arrivals, int requests) {
        return new WorkloadPresets().find("basic").withRequests(requests).withArrivals(arrivals);
    }
}
