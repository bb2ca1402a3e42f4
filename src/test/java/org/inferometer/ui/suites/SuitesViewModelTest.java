package org.inferometer.ui.suites;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanFault;
import org.inferometer.options.Access;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.run.BenchmarkService;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.RunningExperiment;
import org.inferometer.suite.Suite;
import org.inferometer.suite.mapping.Measuring;
import org.inferometer.suite.mapping.TestMapping;
import org.inferometer.suite.mapping.TestPlatform.OwnEngine;
import org.inferometer.suite.running.SessionFolder;
import org.inferometer.suite.running.SessionPlanner;
import org.inferometer.suite.running.SessionTest;
import org.inferometer.suite.running.SlurmSettings;
import org.inferometer.suite.running.SuiteSession;
import org.inferometer.suite.running.TestLog;
import org.inferometer.suite.slurm.JobState;
import org.inferometer.suite.slurm.JobStatus;
import org.inferometer.suite.slurm.JobWait;
import org.inferometer.suite.slurm.ScriptedSlurm;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.fx.UiThread;
import org.inferometer.ui.machines.OtherMachines;
import org.inferometer.ui.suites.PlatformViewModel.Kind;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.MachinesTwin;
import org.inferometer.ui.twin.TestSuites;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.SystemClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuitesViewModelTest {
    @TempDir
    Path folder;

    private final LinkedBlockingQueue<Runnable> later = new LinkedBlockingQueue<>();
    private final List<String> notices = new ArrayList<>();
    private final List<ExperimentSpec> started = new ArrayList<>();
    private final List<ExperimentSpec> startedThere = new ArrayList<>();
    private volatile boolean jobEnded = true;
    private final ScriptedSlurm slurm = new ScriptedSlurm(new ScriptedSlurm.Answers() {
        @Override
        public @Nullable JobStatus state() {
            return jobEnded ? null : new JobStatus("100", JobState.RUNNING, "RUNNING", "", "", "", "");
        }

        @Override
        public Optional<JobStatus> end() {
            return jobEnded ? Optional.of(new JobStatus("100", JobState.FAILED, "FAILED", "", "1:0", "", ""))
                    : Optional.empty();
        }
    });
    private final Thread testThread = Thread.currentThread();
    private RunStatus status = RunStatus.COMPLETE;
    private SuitesViewModel model;

    /// Ends every experiment at once.
    private final class Ending implements BenchmarkService {
        private final List<ExperimentSpec> taken;

        private Ending(List<ExperimentSpec> taken) {
            this.taken = taken;
        }

        @Override
        public List<PlanFault> check(ExperimentSpec spec) {
            return List.of();
        }

        @Override
        public List<Access> accesses(ExperimentSpec spec) {
            return spec.name().equals("night") ? List.of(new Access(Access.Kind.PROGRAM, "/bin/tool")) : List.of();
        }

        @Override
        public Estimate estimate(ExperimentSpec spec) {
            return new Estimate(0, 0, 0, 0, 0);
        }

        @Override
        public RunningExperiment start(ExperimentSpec spec, ExperimentListener listener) {
            taken.add(spec);
            ExperimentManifest manifest = Experiments.manifest("r" + taken.size(), Experiments.QUICK, status,
                    Verdict.Grade.PREVIEW, SuitesViewModelTest.NOW);
            return new RunningExperiment() {
                @Override
                public Path folder() {
                    return folder.resolve("results").resolve(manifest.id());
                }

                @Override
                public void cancel() {}

                @Override
                public ExperimentManifest await() {
                    return manifest;
                }
            };
        }
    }

    private final Deque<Runnable> held = new ArrayDeque<>();
    private boolean holding;
    private static final Instant NOW = Instant.parse("2026-11-23T17:00:00Z");

    @BeforeEach
    void openSuite() {
        UiThread ui = new UiThread() {
            @Override
            public void later(Runnable action) {
                later.add(action);
            }

            @Override
            public boolean current() {
                return Thread.currentThread() == testThread;
            }
        };
        BackgroundWork work = new BackgroundWork(task -> {
            if (holding) {
                held.add(task);
            } else {
                task.run();
            }
        }, ui);
        OtherMachines others = new OtherMachines(new MachinesTwin().with("gpu1", MachinesTwin.GPU_SERVER),
                new Settings(folder.resolve("settings.properties")), work);
        others.add("gpu1");
        SuitePlaces places =
                new SuitePlaces(new Ending(started), others, machine -> new Ending(startedThere), () -> slurm,
                        () -> SlurmSettings
                                .of(EnvironmentVariables.NONE, OptionalInt.empty(), List.of("inferometer"),
                                        folder.resolve("workspace"))
                                .looking(new JobWait.Times(Duration.ZERO, Duration.ofMillis(5), Duration.ofSeconds(60),
                                        Duration.ofSeconds(60))),
                        EnvironmentVariables.NONE);
        model = new SuitesViewModel(new SuiteServices(places, () -> List.of("a-int4", "b-int4"),
                folder.resolve("suites"), folder.resolve("results"), new SystemClock()), work, new Notifier() {
                    @Override
                    public void done(String sentence) {
                        notices.add(sentence);
                    }

                    @Override
                    public void problem(String sentence) {
                        notices.add("problem: " + sentence);
                    }
                });
        model.open(TestSuites.written(folder.resolve("library")));
    }

    private void awaitEnd() throws InterruptedException {
        while (model.session().running().get()) {
            later.take().run();
        }
    }

    private List<String> states() {
        SuiteSession session = Objects.requireNonNull(model.session().session().get());
        return session.tests().stream().map(test -> test.id().replaceFirst("_deepseek.*-", "…") + " " + test.state())
                .toList();
    }

    @Test
    void filesAreListedWithWhatWasFound() {
        assertThat(model.rows()).extracting(
                row -> row.shown().replaceFirst(".*/", "") + " " + row.isRefused() + " " + row.findings().size())
                .containsExactly("deepseek-r1-fp4_1k1k_ctx1_gen1_dep32_bs32_eplb0_mtp0_ccb-UCX.yaml true 4",
                        "deepseek-r1-fp4_1k1k_ctx1_gen4_tep8_bs32_eplb0_mtp0_ccb-NIXL.yaml false 0",
                        "generation.yaml false 0", "night.yaml false 0", "k2_8k1k.yaml false 0");
        model.filter().set("WIDEEP");
        assertThat(model.rows()).extracting(SuiteRow::id).containsExactly("wideep_perf_k2_8k1k");
    }

    @Test
    void shownFilesRunAndTheirStatesAreShown() throws Exception {
        assertThat(model.cannotRun()).isEqualTo("Choose an engine");
        model.refreshEngines();
        assertThat(model.platform().engine().get()).isEqualTo("a-int4");
        assertThat(model.cannotRun()).isEmpty();
        List<String> asked = new ArrayList<>();
        model.run(asked::addAll);
        awaitEnd();

        assertThat(asked).containsExactly("runs the program /bin/tool");
        assertThat(states()).containsExactly("disagg_perf…UCX FAILED", "disagg_perf…NIXL COMPLETE",
                "disagg_perf_generation BLOCKED", "night COMPLETE", "wideep_perf_k2_8k1k COMPLETE");
        assertThat(started).extracting(ExperimentSpec::engines).containsExactly(List.of("a-int4"), List.of("tiny-int4"),
                List.of("a-int4"));
        assertThat(notices).last()
                .isEqualTo("problem: The suite has ended: 3 of 5 tests complete."
                        + " Failed: disagg_perf_deepseek-r1-fp4_1k1k_ctx1_gen1_dep32_bs32_eplb0_mtp0_ccb-UCX."
                        + " Blocked: disagg_perf_generation.");
        assertThat(model.session().record(model.rows().getLast().id()))
                .contains(folder.resolve("results").resolve("r3"));
    }

    @Test
    void stopWhileASessionIsPlannedBeginsNoTest() throws Exception {
        model.refreshEngines();
        model.filter().set("wideep");
        holding = true;
        model.run(deeds -> true);
        held.remove().run();
        assertThat(model.session().running().get()).as("it is being planned").isTrue();
        model.session().stop();
        holding = false;
        held.remove().run();
        awaitEnd();
        assertThat(started).isEmpty();
        assertThat(states()).containsExactly("wideep_perf_k2_8k1k WAITING");
        assertThat(model.session().canResume()).isTrue();
    }

    @Test
    void anotherSuiteIsNotOpenedWhileOneRuns() throws Exception {
        model.refreshEngines();
        Path open = Objects.requireNonNull(model.suite().get()).folder();
        model.run(deeds -> true);
        while (!model.session().running().get()) {
            later.take().run();
        }
        model.open(folder);
        assertThat(notices).last().isEqualTo(
                "problem: The suite " + open + " is running. Stop it, or wait for its end, before you open another.");
        assertThat(Objects.requireNonNull(model.suite().get()).folder()).isEqualTo(open);
        awaitEnd();
    }

    @Test
    void stoppedTestsWaitAndGoOn() throws Exception {
        model.refreshEngines();
        model.filter().set("wideep");
        status = RunStatus.CANCELLED;
        model.run(deeds -> true);
        awaitEnd();
        assertThat(states()).containsExactly("wideep_perf_k2_8k1k WAITING");
        status = RunStatus.COMPLETE;
        model.session().resume(deeds -> true);
        awaitEnd();
        assertThat(states()).containsExactly("wideep_perf_k2_8k1k COMPLETE");
    }

    @Test
    void sessionsOfTheCommandLineAreShownWithTheirLogs() throws Exception {
        Suite suite = Objects.requireNonNull(model.suite().get());
        TestMapping mapping = new TestMapping(new OwnEngine("a-int4", Selection.of("host")), new Measuring(1, 1, 42));
        SessionFolder session = new SessionPlanner(suite, mapping, folder.resolve("suites"), new SystemClock())
                .plan(suite.files(), file -> true, "slurm");
        SessionTest last = session.read().tests().getLast();
        Files.writeString(session.of(last).resolve("slurm-7.out"), "x".repeat(1 << 16) + "its end");
        model.open(suite.folder());

        assertThat(states()).contains("wideep_perf_k2_8k1k WAITING");
        assertThat(Objects.requireNonNull(model.session().session().get()).isOnCluster()).isTrue();
        assertThat(model.session().canResume()).isTrue();
        List<TestLog> logs = new ArrayList<>();
        model.session().readLogs(model.rows().getLast().id(), logs::addAll);
        while (logs.isEmpty()) {
            later.take().run();
        }
        assertThat(logs).singleElement().satisfies(log -> {
            assertThat(log.name()).isEqualTo("slurm-7.out");
            assertThat(log.text()).hasSize(1 << 16).endsWith("xits end");
            assertThat(log.cut()).isTrue();
        });
    }

    @Test
    void sessionsOfOthersGoOnOnlyWithApproval() throws Exception {
        Suite suite = Objects.requireNonNull(model.suite().get());
        new SessionPlanner(suite, null, folder.resolve("suites"), new SystemClock()).plan(suite.files(), file -> true,
                "here");
        model.open(suite.folder());
        List<String> asked = new ArrayList<>();
        model.session().resume(deeds -> {
            asked.addAll(deeds);
            return false;
        });
        assertThat(asked).containsExactly("runs the program /bin/tool");
        assertThat(model.session().running().get()).isFalse();
        assertThat(started).isEmpty();
        model.session().resume(deeds -> true);
        awaitEnd();
        assertThat(states()).contains("night COMPLETE");
    }

    @Test
    void failedTestsBeginAgain() throws Exception {
        model.refreshEngines();
        model.filter().set("wideep");
        status = RunStatus.FAILED;
        model.run(deeds -> true);
        awaitEnd();
        assertThat(states()).containsExactly("wideep_perf_k2_8k1k FAILED");
        assertThat(model.session().canResume()).isFalse();
        assertThat(model.session().canRetry()).isTrue();
        status = RunStatus.COMPLETE;
        model.session().resume(deeds -> true);
        awaitEnd();
        assertThat(states()).containsExactly("wideep_perf_k2_8k1k COMPLETE");
        assertThat(model.session().canRetry()).isFalse();
    }

    @Test
    void testsRunOnAnotherMachineWithItsEngines() throws Exception {
        model.refreshEngines();
        model.place().chosen().set(model.place().places().getLast());
        assertThat(model.platform().engines()).containsExactly("tiny-fp8", "llama-8b-int4");
        model.filter().set("wideep");
        model.run(deeds -> true);
        awaitEnd();
        assertThat(started).isEmpty();
        assertThat(startedThere).extracting(ExperimentSpec::engines).containsExactly(List.of("tiny-fp8"));
        assertThat(Objects.requireNonNull(model.session().session().get()).site()).isEqualTo("ssh:gpu1");
    }

    @Test
    void testsBecomeJobsOfACluster() throws Exception {
        model.refreshEngines();
        model.place().chosen().set(new SuitePlace.Cluster());
        model.filter().set("wideep");
        model.run(deeds -> true);
        awaitEnd();
        assertThat(slurm.calls).first().isEqualTo("submit wideep_perf_k2_8k1k");
        assertThat(states()).containsExactly("wideep_perf_k2_8k1k FAILED");
        assertThat(model.session().progress("wideep_perf_k2_8k1k").orElseThrow().job()).isEqualTo("100");
    }

    @Test
    void cancelledJobsLeaveTheCluster() throws Exception {
        jobEnded = false;
        model.refreshEngines();
        model.place().chosen().set(new SuitePlace.Cluster());
        model.filter().set("wideep");
        model.run(deeds -> true);
        while (!slurm.calls.contains("states")) {
            Objects.requireNonNullElse(later.poll(20, TimeUnit.MILLISECONDS), () -> {}).run();
        }
        model.session().stopAndCancelJobs();
        jobEnded = true;
        awaitEnd();
        assertThat(slurm.calls).contains("cancel 100");
        assertThat(notices).last()
                .isEqualTo("problem: The suite has ended: 0 of 1 test complete. Failed: wideep_perf_k2_8k1k.");
    }

    @Test
    void serversOfTensorRtLlmNeedJobs() {
        model.platform().kind().set(Kind.TRTLLM);
        assertThat(model.cannotRun()).startsWith("TensorRT-LLM's servers run on nodes of a job");
        model.place().chosen().set(new SuitePlace.Cluster());
        assertThat(model.cannotRun()).isEmpty();
    }

    private SuiteRow row(String id) {
        return model.all().stream().filter(each -> each.id().equals(id)).findFirst().orElseThrow();
    }

    @Test
    void aSavedTextIsCheckedAgain() throws Exception {
        SuiteRow night = row("night");
        assertThat(model.edits().isEditable(night)).isTrue();
        model.edits().draft(night, night.content() + "nonsense: 1\n");
        assertThat(model.edits().isChanged(night)).isTrue();
        model.edits().save(night);
        SuiteRow now = row("night");
        assertThat(Files.readString(now.file().file())).isEqualTo(night.content() + "nonsense: 1\n");
        assertThat(now.findings()).singleElement()
                .satisfies(finding -> assertThat(finding.sentence()).contains("nonsense"));
        assertThat(model.edits().isChanged(now)).isFalse();
        assertThat(model.selected().get()).isEqualTo(now);
    }

    @Test
    void aFileThatChangedElsewhereIsNotOverwritten() throws Exception {
        SuiteRow night = row("night");
        model.edits().draft(night, "runs: 2\n");
        Files.writeString(night.file().file(), "runs: 3\n");
        model.refresh();
        model.edits().save(row("night"));
        assertThat(Files.readString(night.file().file())).isEqualTo("runs: 3\n");
        assertThat(notices).last().asString().startsWith("problem: ").contains("has changed since it was read");
        assertThat(model.edits().shown(row("night"))).isEqualTo("runs: 2\n");
        model.edits().revert(row("night"));
        assertThat(model.edits().shown(row("night"))).isEqualTo("runs: 3\n");
    }

    @Test
    void experimentsOfBenchReplaceAFileOrBecomeOne() throws Exception {
        model.edits().replace(row("night"), Experiments.QUICK.withRuns(7));
        assertThat(row("night").smallLine()).isEqualTo("Experiment, 28 runs");
        assertThat(Files.readString(row("night").file().file())).contains("name: night");
        Path suite = Objects.requireNonNull(model.suite().get()).folder();
        model.edits().add(suite, Experiments.QUICK.named("../a b"));
        model.edits().add(suite, Experiments.QUICK.named("../a b"));
        assertThat(model.rows()).extracting(SuiteRow::shown).contains("a-b.yaml", "a-b-2.yaml");
    }

    @Test
    void serversTakeTheirTargetAndNoEngine() {
        model.platform().kind().set(Kind.SERVER);
        assertThat(model.mapped(model.rows().get(1)).orElseThrow().experiments().getFirst().systems())
                .containsExactly("http");
        model.platform().target().set(" ");
        assertThat(model.cannotRun()).isEqualTo("Write a server");
    }

    @Test
    void foldersThatCannotBeReadSayWhy() throws Exception {
        model.open(Files.createDirectory(folder.resolve("empty")));
        assertThat(model.problem().get()).contains("no experiments or test configurations (*.yaml)");
        assertThat(model.rows()).isEmpty();
    }
}
