package org.inferometer.ui.suites;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.options.Selection;
import org.inferometer.record.RunStatus;
import org.inferometer.run.BenchmarkService;
import org.inferometer.suite.Suite;
import org.inferometer.suite.mapping.TestMapping;
import org.inferometer.suite.mapping.TestMapping.Measuring;
import org.inferometer.suite.mapping.TestPlatform.OwnEngine;
import org.inferometer.suite.running.SessionFolder;
import org.inferometer.suite.running.SessionPlanner;
import org.inferometer.suite.running.SessionTest;
import org.inferometer.suite.running.TestLog;
import org.inferometer.suite.slurm.JobRequest.Allocation;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.Test;

/// How tests of a suite run, stop and go on.
class SuiteSessionTest extends OpenSuite {
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
    void largeBuildIsAskedAboutOnce() throws Exception {
        model.refreshEngines();
        model.filter().set("wideep");
        unbuiltBytes = BenchmarkService.LARGE_BUILD_BYTES + 1;
        model.run(phrases -> true);
        assertThat(model.session().running().get()).as("declined").isFalse();
        List<Long> asked = new ArrayList<>();
        model.run(new SessionViewModel.SuiteApproval() {
            @Override
            public boolean trusts(List<String> phrases) {
                return false;
            }

            @Override
            public boolean builds(long bytes) {
                return asked.add(bytes);
            }
        });
        awaitEnd();
        assertThat(asked).containsExactly(unbuiltBytes);
        assertThat(started).hasSize(1);
    }

    @Test
    void stopWhileASessionIsPlannedBeginsNoTest() throws Exception {
        model.refreshEngines();
        model.filter().set("wideep");
        holding = true;
        model.run(phrases -> true);
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
    void stoppedTestsWaitAndGoOn() throws Exception {
        model.refreshEngines();
        model.filter().set("wideep");
        status = RunStatus.CANCELLED;
        model.run(phrases -> true);
        awaitEnd();
        assertThat(states()).containsExactly("wideep_perf_k2_8k1k WAITING");
        status = RunStatus.COMPLETE;
        model.session().resume(phrases -> true);
        awaitEnd();
        assertThat(states()).containsExactly("wideep_perf_k2_8k1k COMPLETE");
    }

    @Test
    void sessionsOfTheCommandLineAreShownWithTheirLogs() throws Exception {
        Suite suite = Objects.requireNonNull(model.suite().get());
        TestMapping mapping = new TestMapping(new OwnEngine("a-int4", Selection.of("host")), new Measuring(1, 1, 42));
        SessionFolder session = new SessionPlanner(suite, mapping, folder.resolve("suites"), new SystemClock())
                .plan(suite.files(), "slurm", Allocation.DEFAULT);
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
        new SessionPlanner(suite, null, folder.resolve("suites"), new SystemClock()).plan(suite.files(), "here",
                Allocation.DEFAULT);
        model.open(suite.folder());
        List<String> asked = new ArrayList<>();
        model.session().resume(phrases -> {
            asked.addAll(phrases);
            return false;
        });
        assertThat(asked).containsExactly("runs the program /bin/tool");
        assertThat(model.session().running().get()).isFalse();
        assertThat(started).isEmpty();
        model.session().resume(phrases -> true);
        awaitEnd();
        assertThat(states()).contains("night COMPLETE");
    }

    @Test
    void failedTestsBeginAgain() throws Exception {
        model.refreshEngines();
        model.filter().set("wideep");
        status = RunStatus.FAILED;
        model.run(phrases -> true);
        awaitEnd();
        assertThat(states()).containsExactly("wideep_perf_k2_8k1k FAILED");
        assertThat(model.session().canResume()).isFalse();
        assertThat(model.session().canRetry()).isTrue();
        status = RunStatus.COMPLETE;
        model.session().resume(phrases -> true);
        awaitEnd();
        assertThat(states()).containsExactly("wideep_perf_k2_8k1k COMPLETE");
        assertThat(model.session().canRetry()).isFalse();
    }
}
