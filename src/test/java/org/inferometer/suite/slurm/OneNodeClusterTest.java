package org.inferometer.suite.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.inferometer.suite.slurm.JobRequest.Allocation;
import org.inferometer.suite.slurm.JobStatus.JobState;
import org.inferometer.suite.slurm.JobWait.JobEnd;
import org.inferometer.suite.slurm.JobWait.JobEnd.Kind;
import org.inferometer.suite.slurm.JobWait.JobListener;
import org.inferometer.suite.slurm.Slurm.SlurmException;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// A real cluster of this machine.
@Execution(ExecutionMode.CONCURRENT)
class OneNodeClusterTest {
    private static final JobWait.Times QUICK =
            new JobWait.Times(Duration.ZERO, Duration.ofMillis(100), Duration.ofSeconds(20), Duration.ofMillis(100));
    private static final JobListener SILENT = new JobListener() {};

    @TempDir
    private static Path folder;
    private static TestCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start(folder);
    }

    @AfterAll
    static void stop() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
    }

    private static JobRequest request(String name, Path script, String... arguments) {
        return new JobRequest(name, Allocation.DEFAULT, JobRequest.pattern(folder, "slurm-%j.out"), "", script,
                List.of(arguments));
    }

    private static JobEnd await(String id, Path... logs) throws InterruptedException {
        return await("token", id, logs);
    }

    private static JobEnd await(String token, String id, Path... logs) throws InterruptedException {
        return new JobWait(cluster.slurm(), new SystemClock(), QUICK, FatalLogLines.DEFAULT)
                .await(new JobLedger.Entry("test", token, Instant.now(), id), () -> List.of(logs), SILENT);
    }

    @Test
    void secondClusterInAFolderIsRefused() throws Exception {
        Path taken = folder.resolve("a cluster");
        assertThat(CommandOutput.of(List.of("src/test/slurm/cluster.sh", "start", taken.toString()),
                cluster.environment(), Duration.ofSeconds(20)))
                .isEqualTo(new CommandOutput(1, "", "cluster.sh: A cluster runs in " + taken
                        + " already. Stop it: cluster.sh stop '" + taken + "'."));
    }

    @Test
    void jobsEndWithTheirExitCodes() throws Exception {
        Slurm slurm = cluster.slurm();
        String good = slurm.submit(request("a good | one", cluster.script("good", "true")), "token-1");
        String bad = slurm.submit(request("bad", cluster.script("bad", "exit 3")), "token-2");
        assertThat(slurm.features().accounting()).isFalse();
        assertThat(await(bad)).satisfies(
                end -> assertThat(end.reason()).isEqualTo("Job " + bad + " is FAILED (NonZeroExitCode), exit code 3."))
                .returns(Kind.ENDED, JobEnd::kind);
        assertThat(await(good)).returns(true, JobEnd::isSuccess).returns("", JobEnd::reason);
        assertThat(slurm.end(good).orElseThrow()).returns("0:0", JobStatus::exit);
        assertThat(slurm.states(List.of(good, "99999")).keySet()).containsExactly(good);
        assertThat(slurm.states(List.of("99999"))).isEmpty();
        assertThat(slurm.end("99999")).isEmpty();
        // The controller forgets a job after MinJobAge; this file does not.
        assertThat(SlurmOutput.completed(CommandOutput
                .of(List.of("sacct", "-c", "-P", "-j", good), cluster.environment(), Duration.ofSeconds(20)).out(),
                good).orElseThrow().state()).isEqualTo(JobState.COMPLETED);
    }

    @Test
    void scriptAndArgumentsArriveUnchanged() throws Exception {
        Path logs = Files.createDirectories(folder.resolve("100% of %j logs"));
        Path script = cluster.script("a script", "printf '<%s>' \"$@\"; echo \"$SLURM_JOB_NAME\" >&2");
        String[] arguments = {"x  y", "it's \"quoted\"", "two\nlines", "*$HOME`id`", "", "--nodes=9", "ü"};
        JobRequest request = new JobRequest("two words", Allocation.DEFAULT.withExtra("--nice=5 -D '" + logs + "'"),
                JobRequest.pattern(logs, "%x-%j.out"), JobRequest.pattern(logs, "%j.err"), script, List.of(arguments));
        String id = cluster.slurm().submit(request, "token-3");
        assertThat(await(id).isSuccess()).isTrue();
        assertThat(logs.resolve("two-words-" + id + ".out")).hasContent("<" + String.join("><", arguments) + ">");
        assertThat(logs.resolve(id + ".err")).hasContent("two-words");
    }

    @Test
    void fullNodeMakesAJobPendAndCancelEndsBoth() throws Exception {
        Slurm slurm = cluster.slurm();
        Allocation whole = new Allocation("batch", "", "5", 1, 0, 0, true, 0, "");
        JobRequest request =
                new JobRequest("full", whole, "/dev/null", "", cluster.script("long", "exec sleep 100"), List.of());
        String first = slurm.submit(request, "token-4");
        cluster.until(first, job -> job.state() == JobState.RUNNING);
        String second = slurm.submit(request, "token-5");
        assertThat(cluster.until(second, job -> job.reason().equals("Resources")).describe())
                .isEqualTo("Job " + second + " is PENDING (Resources)");
        assertThatThrownBy(() -> slurm.cancel(second, "token"))
                .hasMessage("Job " + second + " is none of this session, and is not cancelled.");
        slurm.cancel(second, "token-5");
        slurm.cancel(first, "token-4");
        slurm.cancel("99999", "token");
        slurm.cancel(second, "token");
        assertThat(await(second).status().orElseThrow().state()).isEqualTo(JobState.CANCELLED);
        // Slurm may list the end before it knows the signal.
        assertThat(await(first).reason()).isIn("Job " + first + " is CANCELLED, signal 15.",
                "Job " + first + " is CANCELLED.");
    }

    @Test
    void refusalsAreOneSentence() throws Exception {
        Path script = cluster.script("refused", "true");
        assertThatThrownBy(() -> cluster.slurm()
                .submit(new JobRequest("a", new Allocation("nope", "", "", 0, 0, 0, false, 0, ""), "", "", script,
                        List.of()), "token-6"))
                .hasMessage("sbatch refused job \"a\": invalid partition specified: nope; Batch job submission failed: "
                        + "Invalid partition name specified.")
                .extracting(thrown -> ((SlurmException) thrown).kind()).isEqualTo(SlurmException.Kind.REFUSED);
        assertThatThrownBy(() -> cluster.slurm().submit(request("b", folder.resolve("missing")), "token-7"))
                .hasMessage("sbatch refused job \"b\": Unable to open file " + folder.resolve("missing") + ".");
    }

    @Test
    void restartedLedgerFindsTheJobOfADeadProgram() throws Exception {
        Path file = folder.resolve("session/jobs.txt");
        JobRequest request = request("found", cluster.script("found", "true"));
        SystemClock clock = new SystemClock();
        JobLedger.Entry job = JobLedger.open(file, clock).submit("test", request, cluster.slurm());
        await(job.id());
        // As if the program had died between sbatch and the writing of the number.
        Files.writeString(file, Files.readString(file).replace("\t" + job.id() + "\t", "\t-\t"));
        JobLedger restarted = JobLedger.open(file, clock);
        assertThat(restarted.entries()).containsExactly(new JobLedger.Entry("test", job.token(), job.submitted(), ""));
        assertThat(restarted.submit("test", request, cluster.slurm())).isEqualTo(job);
        assertThat(cluster.slurm().find("inferometer-none", clock.wall())).isEmpty();
    }

    @Test
    void fatalLineCancelsAJob() throws IOException, SlurmException, InterruptedException {
        Path script = cluster.script("fatal", "echo fine; echo '_pickle.E: pickle data was truncated'; exec sleep 100");
        String id = cluster.slurm().submit(request("fatal", script), "token-8");
        JobEnd end = await("token-8", id, folder.resolve("slurm-" + id + ".out"));
        assertThat(end).returns(Kind.FATAL_LOG, JobEnd::kind).returns("Job " + id
                + " cannot go on and was cancelled. slurm-" + id + ".out: _pickle.E: pickle data was truncated",
                JobEnd::reason);
        cluster.until(id, job -> job.state() == JobState.CANCELLED);
        assertThat(cluster.slurm().end(id).map(JobStatus::state)).isEqualTo(Optional.of(JobState.CANCELLED));
    }
}
