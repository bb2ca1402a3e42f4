package org.inferometer.suite.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.inferometer.suite.slurm.JobStatus.JobState;
import org.inferometer.suite.slurm.JobWait.JobEnd;
import org.inferometer.suite.slurm.JobWait.JobListener;
import org.inferometer.suite.slurm.ScriptedSlurm.Answers;
import org.inferometer.suite.slurm.Slurm.SlurmException;
import org.inferometer.units.Clock;
import org.inferometer.units.SystemClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// In virtual time, except for the last two.
class JobWaitTest {
    private static final Instant START = Instant.parse("2026-11-23T17:00:00Z");

    private final List<String> told = new ArrayList<>();
    private final List<Long> lookSeconds = new ArrayList<>();
    private long second;
    @TempDir
    private Path folder;

    private final JobListener listener = new JobListener() {
        @Override
        public void changed(JobStatus status) {
            told.add(second + " s: " + status.describe());
        }

        @Override
        public void note(String sentence) {
            told.add(second + " s: " + sentence);
        }
    };

    private final Clock clock = new Clock() {
        @Override
        public long nanos() {
            return second * 1_000_000_000;
        }

        @Override
        public Instant wall() {
            return START.plusSeconds(second);
        }
    };

    private JobEnd await(ScriptedSlurm slurm, Instant submitted, Path... logs) throws InterruptedException {
        return new JobWait(slurm, clock, JobWait.Times.DEFAULT, FatalLogLines.DEFAULT,
                nanos -> second += nanos / 1_000_000_000).await(job("7", submitted), () -> List.of(logs), listener);
    }

    private static JobLedger.Entry job(String id, Instant submitted) {
        return new JobLedger.Entry("test", "token", submitted, id);
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ScriptedSlurm slurm(Answers answers) {
        return new ScriptedSlurm(new Answers() {
            @Override
            public @Nullable JobStatus state() throws SlurmException {
                lookSeconds.add(second);
                return answers.state();
            }

            @Override
            public Optional<JobStatus> end() {
                return answers.end();
            }
        });
    }

    @Test
    void looksAfter60SecondsAndThenEvery180() throws Exception {
        JobEnd end = await(slurm(() -> second < 200 ? ScriptedSlurm.status("PENDING", "Resources")
                : second < 700 ? ScriptedSlurm.status("RUNNING", "")
                : ScriptedSlurm.status("FAILED", "NonZeroExitCode")), START);
        assertThat(lookSeconds).containsExactly(60L, 240L, 420L, 600L, 780L);
        assertThat(told).containsExactly("60 s: Job 7 is PENDING (Resources)", "240 s: Job 7 is RUNNING");
        assertThat(end).isEqualTo(new JobEnd(JobEnd.Kind.ENDED,
                Optional.of(ScriptedSlurm.status("FAILED", "NonZeroExitCode")), "Job 7 is FAILED (NonZeroExitCode)."));
    }

    @Test
    void firstLookCountsFromTheSubmission() throws Exception {
        assertThat(await(slurm(() -> ScriptedSlurm.status("COMPLETED", "")), START.minusSeconds(3600)).isSuccess())
                .isTrue();
        assertThat(lookSeconds).containsExactly(0L);
    }

    @Test
    void jumpsOfTheWallClockDoNotPutTheFirstLookOff() throws Exception {
        for (Instant submitted : List.of(START.plus(Duration.ofDays(3650)), Instant.MAX)) {
            lookSeconds.clear();
            second = 0;
            assertThat(await(slurm(() -> ScriptedSlurm.status("COMPLETED", "")), submitted).isSuccess()).isTrue();
            assertThat(lookSeconds).containsExactly(60L);
        }
        lookSeconds.clear();
        assertThat(await(slurm(() -> ScriptedSlurm.status("COMPLETED", "")), Instant.MIN).isSuccess()).isTrue();
        assertThat(lookSeconds).containsExactly(60L);
    }

    @Test
    void vanishedJobHasEndedOrIsForgotten() throws Exception {
        JobStatus recorded = new JobStatus("7", JobState.COMPLETED, "COMPLETED", "", "0:0", "", "");
        ScriptedSlurm known = slurm(new Answers() {
            @Override
            public @Nullable JobStatus state() {
                return null;
            }

            @Override
            public Optional<JobStatus> end() {
                return Optional.of(recorded);
            }
        });
        assertThat(await(known, START)).isEqualTo(new JobEnd(JobEnd.Kind.ENDED, Optional.of(recorded), ""));
        assertThat(await(slurm(() -> null), START)).isEqualTo(new JobEnd(JobEnd.Kind.FORGOTTEN, Optional.empty(),
                "Job 7 is no longer known to Slurm, and its end was not recorded. See its logs."));
    }

    @Test
    void unknownStateIsWaitedFor() throws Exception {
        JobEnd end = await(slurm(() -> ScriptedSlurm.status(second < 300 ? "POWER_UP" : "COMPLETED", "")), START);
        assertThat(end.isSuccess()).isTrue();
        assertThat(told).containsExactly("60 s: Job 7 is in the unknown state \"POWER_UP\"");
    }

    @Test
    void jobIsCancelledAfterItsTime() throws Exception {
        ScriptedSlurm slurm = slurm(() -> ScriptedSlurm.status(second > 36_000 ? "CANCELLED" : "RUNNING", ""));
        assertThat(await(slurm, START))
                .isEqualTo(new JobEnd(JobEnd.Kind.TIMED_OUT, Optional.of(ScriptedSlurm.status("RUNNING", "")),
                        "Job 7 did not end within 36000 s and was cancelled. Its last state was RUNNING."));
        assertThat(second).isEqualTo(36_002);
        assertThat(slurm.calls).hasSize(203).endsWith("states", "cancel 7", "states");
    }

    @Test
    void timePendingIsNoRunTime() throws Exception {
        JobEnd end = await(slurm(() -> second <= 50_000 ? ScriptedSlurm.status("PENDING", "Resources")
                : ScriptedSlurm.status("COMPLETED", "")), START);
        assertThat(end.isSuccess()).isTrue();
        second = 0;
        assertThat(await(
                slurm(() -> ScriptedSlurm
                        .status(second <= 10_000 ? "CONFIGURING" : second <= 46_000 ? "RUNNING" : "CANCELLED", "")),
                START).reason())
                .isEqualTo("Job 7 did not end within 36000 s and was cancelled. Its last state was RUNNING.");
        second = 0;
        assertThat(
                await(slurm(() -> second < 200 ? ScriptedSlurm.status("PENDING", "Priority") : null), START).reason())
                .isEqualTo("Job 7 is no longer known to Slurm, and its end was not recorded."
                        + " Its last state was PENDING (Priority). See its logs.");
    }

    @Test
    void cancelledJobIsLeftOnlyWhenItHasEnded() throws Exception {
        ScriptedSlurm slurm = slurm(() -> ScriptedSlurm
                .status(second <= 36_000 ? "RUNNING" : second < 36_030 ? "COMPLETING" : "CANCELLED", ""));
        assertThat(await(slurm, START).reason())
                .isEqualTo("Job 7 did not end within 36000 s and was cancelled. Its last state was RUNNING.");
        assertThat(second).isEqualTo(36_030);
        second = 0;
        assertThat(await(slurm(() -> ScriptedSlurm.status("COMPLETING", "")), START).reason()).isEqualTo(
                "Job 7 did not end within 36000 s and was cancelled. Its last state was COMPLETING. It has not ended yet. See: squeue -j 7");
        assertThat(second).isEqualTo(36_090);
    }

    @Test
    void failedLookIsRepeated() throws Exception {
        JobEnd end = await(slurm(() -> {
            if (second < 100) {
                throw new SlurmException(SlurmException.Kind.UNANSWERED, "squeue failed: it sleeps.");
            }
            return ScriptedSlurm.status("COMPLETED", "");
        }), START);
        assertThat(end.isSuccess()).isTrue();
        assertThat(told).containsExactly("60 s: squeue failed: it sleeps. The next look is in 180 s.");
    }

    @Test
    void fatalLineInTheLast100KibCancels() throws Exception {
        Path log = folder.resolve("3_output_GEN_0.log");
        String fatal = "  File \"MPI/Comm.pyx\", line 1, in mpi4py.MPI.Comm.allgather\n";
        Files.writeString(log, fatal + "x".repeat(100 << 10) + "\nusing allgather\n");
        ScriptedSlurm slurm = slurm(() -> {
            if (second >= 600) {
                write(log, "more\n" + fatal + "more\n");
            }
            return ScriptedSlurm.status(second > 600 ? "CANCELLED" : "RUNNING", "");
        });
        JobEnd end = await(slurm, START, folder.resolve("missing"), folder, log);
        assertThat(end).returns(JobEnd.Kind.FATAL_LOG, JobEnd::kind).returns(
                "Job 7 cannot go on and was cancelled. "
                        + "3_output_GEN_0.log: File \"MPI/Comm.pyx\", line 1, in mpi4py.MPI.Comm.allgather",
                JobEnd::reason);
        assertThat(second).isEqualTo(602);
        second = 0;
        slurm.failure = new SlurmException(SlurmException.Kind.UNANSWERED, "scancel failed.");
        assertThat(await(slurm, START, log).reason())
                .endsWith(" But it may still run: scancel failed. Repeat: scancel 7");
    }

    @Test
    void interruptLeavesTheJob() {
        ScriptedSlurm slurm = new ScriptedSlurm(() -> ScriptedSlurm.status("RUNNING", ""));
        JobWait wait = new JobWait(slurm, new SystemClock(), JobWait.Times.DEFAULT, FatalLogLines.DEFAULT);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> wait.await(job("7", Instant.now()), List::of, listener))
                .isInstanceOf(InterruptedException.class);
        assertThat(slurm.calls).isEmpty();
    }
}
