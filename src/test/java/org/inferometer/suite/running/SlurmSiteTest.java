package org.inferometer.suite.running;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.suite.Suite;
import org.inferometer.suite.running.SessionTest.OwnRequest;
import org.inferometer.suite.running.SessionTest.State;
import org.inferometer.suite.running.SuiteRunner.SuiteListener;
import org.inferometer.suite.slurm.JobLedger;
import org.inferometer.suite.slurm.JobRequest;
import org.inferometer.suite.slurm.JobRequest.Allocation;
import org.inferometer.suite.slurm.JobStatus;
import org.inferometer.suite.slurm.JobStatus.JobState;
import org.inferometer.suite.slurm.JobWait;
import org.inferometer.suite.slurm.ScriptedSlurm;
import org.inferometer.suite.slurm.Slurm.SlurmException;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A site on a scripted cluster.
class SlurmSiteTest {
    @TempDir
    private Path folder;

    private SessionFolder session() throws IOException {
        SessionFolder session = SessionFolder.create(folder.resolve("sessions"), "s");
        session.write(new SuiteSession(SuiteSession.FORMAT_VERSION, "s", "suite", "", "slurm", Instant.EPOCH,
                Stream.of("a", "b", "c").map(id -> SessionTest.waiting(id, "", id + ".yaml", "logs/" + id,
                        List.of("experiment.yaml"), OwnRequest.NONE)).toList()));
        return session;
    }

    static SlurmSettings settings(Path folder, int batchSize) {
        JobWait.Times now =
                new JobWait.Times(Duration.ZERO, Duration.ofSeconds(9), Duration.ofSeconds(9), Duration.ofSeconds(9));
        return new SlurmSettings(Allocation.DEFAULT, List.of("inferometer"), folder, batchSize, now, "");
    }

    private SuiteRunner runner(SessionFolder session, ScriptedSlurm slurm, int batchSize) {
        SlurmSettings settings = settings(folder, batchSize);
        SuiteListener silent = new SuiteListener() {};
        Path results = folder.resolve("results");
        return new SuiteRunner(session, new SlurmSite(slurm, settings, results, silent, new SystemClock()), results,
                silent, new SystemClock());
    }

    /// Nobody answers on a node: what was asked before the submission is answered in the command.
    @Test
    void jobsAskNothing() {
        assertThat(settings(folder, 1).script(folder, List.of("a.yaml"), new JobRecords(folder, folder)).lines()
                .toList().getLast()).endsWith(" --allow program,address,secret,file --wait --yes");
    }

    @Test
    void openSubmissionStopsTheSessionAndIsFound() throws Exception {
        SessionFolder session = session();
        ScriptedSlurm slurm = new ScriptedSlurm(() -> null);
        slurm.failure = new SlurmException(SlurmException.Kind.UNANSWERED, "sbatch did not end within 180 s.");
        slurm.acceptsBeforeFailure = true;
        slurm.answersFind = false;
        assertThatThrownBy(() -> runner(session, slurm, 1).run())
                .hasMessage("It is open whether the job of a was submitted."
                        + " sbatch did not end within 180 s. Resume the session when Slurm answers.");
        assertThat(session.read().tests()).extracting(SessionTest::state).containsOnly(State.WAITING);
        slurm.failure = null;
        slurm.answersFind = true;
        assertThat(runner(session, slurm, 1).run().tests()).extracting(SessionTest::job).containsExactly("100", "101",
                "102");
        assertThat(slurm.calls).containsExactly("submit a", "find", "find", "states", "submit b", "states", "submit c",
                "states");
    }

    @Test
    void laterRunRequestsWhatWasSaidAtFirst() throws Exception {
        Files.writeString(Files.createDirectory(folder.resolve("suite")).resolve("a.yaml"),
                "engines: [tiny-int4]\nworkloads: [short]\n");
        Suite suite = new Suite(folder.resolve("suite"));
        Allocation said = new Allocation("gpu", "", "01:00:00", 1, 1, 0, true, 0, "--gres=gpu:1");
        SessionTest planned = new SessionPlanner(suite, null, folder.resolve("suites"), new SystemClock())
                .plan(suite.files(), "slurm", said).read().tests().getFirst();

        Allocation standard = new Allocation("", "", "", 1, 1, 0, true, 0, "");
        assertThat(planned.allocation(standard)).isEqualTo(said);
        assertThat(planned.allocation(standard.withExtra("--mem=1G"))).isEqualTo(said.withExtra("--mem=1G"));
        assertThat(planned.own().accesses()).hasSize(1);
    }

    @Test
    void collectingSubmitsNothing() throws Exception {
        SessionFolder session = session();
        ScriptedSlurm slurm = new ScriptedSlurm(() -> new JobStatus("100", JobState.FAILED, "FAILED", "", "", "", ""));
        JobRequest request = new JobRequest("b", Allocation.DEFAULT, "", "", folder.resolve("job.sh"), List.of());
        JobLedger.open(session.path().resolve("jobs.tsv"), new SystemClock()).submit("b", request, slurm);
        new SessionProgress(session, session.read(), new SystemClock()).submitted(1, "100");
        assertThat(runner(session, slurm, 5).collect().tests()).extracting(SessionTest::state)
                .containsExactly(State.WAITING, State.FAILED, State.WAITING);
        assertThat(slurm.calls).containsExactly("submit b", "states", "states");
    }
}
