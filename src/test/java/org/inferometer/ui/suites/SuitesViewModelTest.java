package org.inferometer.ui.suites;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
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
import org.inferometer.suite.running.SuiteSession;
import org.inferometer.suite.running.TestLog;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.UiThread;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.TestSuites;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuitesViewModelTest {
    @TempDir
    Path folder;

    private final LinkedBlockingQueue<Runnable> later = new LinkedBlockingQueue<>();
    private final List<String> notices = new ArrayList<>();
    private final List<ExperimentSpec> started = new ArrayList<>();
    private final Thread testThread = Thread.currentThread();
    private RunStatus status = RunStatus.COMPLETE;
    private SuitesViewModel model;

    /// Ends every experiment at once.
    private final class Ending implements BenchmarkService {
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
            started.add(spec);
            ExperimentManifest manifest = Experiments.manifest("r" + started.size(), Experiments.QUICK, status,
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
        model = new SuitesViewModel(
                new SuiteServices(new Ending(), () -> List.of("a-int4", "b-int4"), folder.resolve("suites"),
                        folder.resolve("results"), new SystemClock()),
                new BackgroundWork(Runnable::run, ui), new Notifier() {
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
        while (model.running().get()) {
            later.take().run();
        }
    }

    private List<String> states() {
        SuiteSession session = Objects.requireNonNull(model.session().get());
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
        assertThat(model.engine().get()).isEqualTo("a-int4");
        assertThat(model.cannotRun()).isEmpty();
        assertThat(model.accesses()).containsExactly("runs the program /bin/tool");
        model.run();
        awaitEnd();

        assertThat(states()).containsExactly("disagg_perf…UCX FAILED", "disagg_perf…NIXL COMPLETE",
                "disagg_perf_generation BLOCKED", "night COMPLETE", "wideep_perf_k2_8k1k COMPLETE");
        assertThat(started).extracting(ExperimentSpec::engines).containsExactly(List.of("a-int4"), List.of("tiny-int4"),
                List.of("a-int4"));
        assertThat(notices).last().isEqualTo("The suite has ended: 3 of 5 tests are complete.");
        assertThat(model.record(model.rows().getLast())).contains(folder.resolve("results").resolve("r3"));
    }

    @Test
    void stoppedTestsWaitAndGoOn() throws Exception {
        model.refreshEngines();
        model.filter().set("wideep");
        status = RunStatus.CANCELLED;
        model.run();
        awaitEnd();
        assertThat(states()).containsExactly("wideep_perf_k2_8k1k WAITING");
        status = RunStatus.COMPLETE;
        model.resume();
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
        assertThat(Objects.requireNonNull(model.session().get()).isOnCluster()).isTrue();
        assertThat(model.canResume()).isFalse();
        List<TestLog> logs = new ArrayList<>();
        model.readLogs(model.rows().getLast(), logs::addAll);
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
    void serversTakeTheirTargetAndNoEngine() {
        model.onServer().set(true);
        assertThat(model.mapped(model.rows().get(1)).orElseThrow().experiments().getFirst().systems())
                .containsExactly("http");
        model.target().set(" ");
        assertThat(model.cannotRun()).isEqualTo("Write a server");
    }

    @Test
    void foldersThatCannotBeReadSayWhy() throws Exception {
        model.open(Files.createDirectory(folder.resolve("empty")));
        assertThat(model.problem().get()).contains("no experiments or test configurations (*.yaml)");
        assertThat(model.rows()).isEmpty();
    }
}
