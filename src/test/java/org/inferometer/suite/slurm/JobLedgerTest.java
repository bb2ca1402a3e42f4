package org.inferometer.suite.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.inferometer.suite.slurm.JobRequest.Allocation;
import org.inferometer.suite.slurm.Slurm.SlurmException;
import org.inferometer.suite.slurm.Slurm.SlurmException.Kind;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobLedgerTest {
    private static final JobRequest REQUEST =
            new JobRequest("a", Allocation.DEFAULT, "", "", Path.of("/a.sh"), List.of());

    private final ScriptedSlurm slurm = new ScriptedSlurm(() -> null);
    @TempDir
    private Path folder;
    private Path file;

    @BeforeEach
    void file() {
        file = folder.resolve("jobs.txt");
    }

    private JobLedger ledger() throws IOException {
        return JobLedger.open(file, new SystemClock());
    }

    @Test
    void keyIsSubmittedOnceAlsoAfterARestart() throws Exception {
        JobLedger.Entry job = ledger().submit("test a", REQUEST, slurm);
        assertThat(job).returns("100", JobLedger.Entry::id).returns("test a", JobLedger.Entry::key);
        assertThat(ledger().submit("test a", REQUEST, slurm)).isEqualTo(job);
        assertThat(ledger().entries()).containsExactly(job);
        assertThat(ledger().submit("b", REQUEST, slurm).id()).isEqualTo("101");
        assertThat(slurm.calls).containsExactly("submit a", "submit a");
        JobLedger again = ledger();
        again.remove("test a");
        assertThat(ledger().entries()).extracting(JobLedger.Entry::key).containsExactly("b");
        assertThat(again.job("test a")).isEmpty();
        assertThat(again.job("b").orElseThrow().id()).isEqualTo("101");
        assertThat(again.isOpen("b")).isFalse();
    }

    @Test
    void intentIsOnDiskBeforeTheSubmission() throws Exception {
        slurm.failure = new SlurmException(Kind.UNANSWERED, "sbatch did not end within 180 s.");
        slurm.answersFind = false;
        assertThatThrownBy(() -> ledger().submit("a", REQUEST, slurm)).isSameAs(slurm.failure);
        JobLedger.Entry intent = ledger().entries().getFirst();
        assertThat(ledger().job("a")).isEmpty();
        assertThat(ledger().isOpen("a")).isTrue();
        assertThat(intent.id()).isEmpty();
        // A restart asks first, and submits again under the same token.
        slurm.failure = null;
        assertThatThrownBy(() -> ledger().submit("a", REQUEST, slurm)).hasMessage("squeue failed.");
        slurm.answersFind = true;
        assertThat(ledger().submit("a", REQUEST, slurm))
                .isEqualTo(new JobLedger.Entry("a", intent.token(), intent.submitted(), "100"));
        assertThat(slurm.jobs).containsOnlyKeys(intent.token());
        assertThat(slurm.calls).containsExactly("submit a", "find", "find", "find", "submit a");
    }

    @Test
    void jobsSubmittedUnderAClockThatWasAheadAreFound() throws Exception {
        Files.writeString(file,
                "# jobs of a session, format 1: token, time, number, key\nt\t2199-01-01T00:00:00Z\t-\ta\n");
        slurm.jobs.put("t", "77");
        assertThat(ledger().submit("a", REQUEST, slurm).id()).isEqualTo("77");
        assertThat(slurm.foundSince).isBefore(Instant.parse("2199-01-01T00:00:00Z"));
    }

    @Test
    void acceptedJobWithALostAnswerIsFound() throws Exception {
        slurm.failure = new SlurmException(Kind.UNANSWERED, "Socket timed out.");
        slurm.acceptsBeforeFailure = true;
        assertThat(ledger().submit("a", REQUEST, slurm).id()).isEqualTo("100");
        assertThat(slurm.calls).containsExactly("submit a", "find");
    }

    @Test
    void refusedJobLeavesNoIntent() throws Exception {
        slurm.failure = new SlurmException(Kind.REFUSED, "sbatch refused it.");
        assertThatThrownBy(() -> ledger().submit("a", REQUEST, slurm)).isSameAs(slurm.failure);
        assertThat(ledger().entries()).isEmpty();
        assertThat(slurm.calls).containsExactly("submit a");
    }

    @Test
    void linksAndLargeFilesAreRefusedForWhatTheyAre() throws Exception {
        Files.createSymbolicLink(file, Files.createFile(file.resolveSibling("elsewhere")));
        String refusal = file + " is no regular file, or longer than 8 MiB. Jobs may still run;"
                + " see squeue before you remove the file.";
        assertThatThrownBy(this::ledger).hasMessage(refusal);
        Files.delete(file);
        Files.write(file, new byte[(8 << 20) + 1]);
        assertThatThrownBy(this::ledger).hasMessage(refusal);
    }

    @Test
    void brokenFileIsNotOverwritten() throws Exception {
        ledger().submit("a", REQUEST, slurm);
        String whole = Files.readString(file);
        for (String broken : List.of("", "x\n", whole + "half", whole + "a\tyesterday\t-\tb", whole + "a\t\t\t",
                whole + whole.lines().skip(1).findFirst().orElseThrow())) {
            Files.writeString(file, broken);
            assertThatThrownBy(this::ledger).hasMessageStartingWith(file + ", line ").hasMessageEndingWith(
                    ": no list of jobs. Jobs may still run; see squeue before you remove the file.");
        }
    }
}
