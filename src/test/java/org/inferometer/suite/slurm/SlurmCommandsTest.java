package org.inferometer.suite.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.suite.slurm.JobRequest.Allocation;
import org.inferometer.suite.slurm.JobStatus.JobState;
import org.inferometer.suite.slurm.Slurm.SlurmException;
import org.inferometer.suite.slurm.Slurm.SlurmException.Kind;
import org.inferometer.suite.slurm.Slurm.SlurmFeatures;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Commands that scripts stand in for: answers that a healthy cluster without a database does not give.
@DisabledOnOs(OS.WINDOWS)
class SlurmCommandsTest {
    private static final String DISABLED = "echo Slurm accounting storage is disabled >&2; exit 1";

    @TempDir
    private Path folder;

    private Slurm slurm(Map<String, String> scripts) throws IOException {
        for (String command : List.of("sbatch", "srun", "squeue", "sacct", "scontrol", "scancel")) {
            Path file = Files.writeString(folder.resolve(command), "#!/bin/sh\n" + scripts.getOrDefault(command, ""));
            assertThat(file.toFile().setExecutable(true)).isTrue();
        }
        return new SlurmCommands(Map.of(), Optional.of(folder));
    }

    @Test
    void accountingTellsTheEndUnlessItLags() throws Exception {
        String recorded = """
                case "$*" in
                *JobIDRaw,Comment*) echo '8||sbatch --comment=inferometer-1 a.sh' ;;
                *) echo '7|FAILED|0:9|00:00:02|n1'; echo '8|PENDING|0:0|00:00:00|None assigned' ;;
                esac
                """;
        Slurm slurm = slurm(Map.of("sbatch", "echo slurm 24.05.1", "sacct", recorded, "scontrol", """
                echo "JobId=$4 JobState=COMPLETED Reason=None Dependency=(null) ExitCode=0:0 RunTime=00:00:01 \
                ExcNodeList=(null) NodeList=n2 "
                """));
        assertThat(slurm.features()).isEqualTo(new SlurmFeatures("24.05.1", false, false, true));
        assertThat(slurm.end("7")).contains(new JobStatus("7", JobState.FAILED, "FAILED", "", "0:9", "00:00:02", "n1"));
        assertThat(slurm.end("8"))
                .contains(new JobStatus("8", JobState.COMPLETED, "COMPLETED", "", "0:0", "00:00:01", "n2"));
        // The controller has forgotten the job; its line of submission has the token.
        assertThat(slurm.find("inferometer-1", Instant.now())).contains("8");
    }

    @Test
    void failuresTellWhetherSlurmAnswered() throws Exception {
        Slurm slurm = slurm(Map.of("sbatch", "[ $# = 1 ] || { echo odd; exit 0; }; echo slurm 24.05.1", "sacct",
                DISABLED, "squeue",
                "echo 'slurm_load_jobs error: Unable to contact slurm controller (connect failure)' >&2; exit 1",
                "scancel", "exit 3"));
        assertThatThrownBy(() -> slurm.states(List.of("7")))
                .hasMessage("squeue failed: Unable to contact slurm controller (connect failure).")
                .returns(Kind.UNANSWERED, thrown -> ((SlurmException) thrown).kind());
        assertThatThrownBy(() -> slurm.cancel("7", "token")).hasMessageStartingWith("squeue failed");
        JobRequest request = new JobRequest("a", Allocation.DEFAULT, "", "", Path.of("/a.sh"), List.of());
        assertThatThrownBy(() -> slurm.submit(request, "t"))
                .hasMessage("sbatch printed no number for job \"a\": \"odd\".")
                .returns(Kind.UNANSWERED, thrown -> ((SlurmException) thrown).kind());
        Slurm stubborn = slurm(Map.of("squeue", "echo '7|token'", "scancel", "exit 3"));
        assertThatThrownBy(() -> stubborn.cancel("7", "token"))
                .hasMessage("scancel could not cancel job 7: it ended with exit code 3 and no message.")
                .returns(Kind.REFUSED, thrown -> ((SlurmException) thrown).kind());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--user=me", "7,8", "7 8", "-1"})
    void numbersOfJobsAreNoOptions(String id) throws Exception {
        Slurm slurm = slurm(Map.of("sacct", DISABLED));
        assertThatThrownBy(() -> slurm.cancel(id, "token")).hasMessage("\"" + id + "\" is no number of a job.");
        assertThatThrownBy(() -> slurm.end(id)).hasMessage("\"" + id + "\" is no number of a job.");
        assertThatThrownBy(() -> slurm.states(List.of("7", id))).hasMessage("\"" + id + "\" is no number of a job.");
    }

    @Test
    void missingSlowAndEndlessCommandsAreSentences() {
        assertThatThrownBy(() -> CommandOutput.of(List.of("/none/sbatch"), Map.of(), Duration.ofSeconds(9)))
                .hasMessageStartingWith("sbatch cannot be started: ")
                .hasMessageEndingWith("Install the commands of Slurm, or put them on the PATH.")
                .returns(Kind.MISSING, thrown -> ((SlurmException) thrown).kind());
        assertThatThrownBy(() -> CommandOutput.of(List.of("sleep", "100"), Map.of(), Duration.ofMillis(50)))
                .hasMessage("sleep did not end within 0 s. The controller of Slurm may be overloaded.");
        assertThatThrownBy(() -> CommandOutput.of(List.of("head", "-c", "17000000", "/dev/zero"), Map.of(),
                Duration.ofSeconds(20))).hasMessage("head printed more than 16 MiB.");
    }

    @Test
    void filtersOfTheUserAreNotPassedOn() throws Exception {
        Map<String, String> environment = new HashMap<>(Map.of("SQUEUE_PARTITION", "p", "SACCT_FORMAT", "f",
                "SBATCH_WAIT", "1", "SLURM_NTASKS", "9", "SBATCH_ACCOUNT", "a"));
        CommandOutput.prepare(environment, Map.of("SLURM_CONF", "/a b"));
        assertThat(environment).isEqualTo(Map.of("SBATCH_ACCOUNT", "a", "SLURM_CONF", "/a b"));
        assertThat(CommandOutput.of(List.of("env"), Map.of("SLURM_CONF", "/a b"), Duration.ofSeconds(20)).out())
                .contains("SLURM_CONF=/a b\n", "PATH=");
    }

    @Test
    void submissionThatStillRunsIsAwaited() throws Exception {
        Path mark = folder.resolve("mark");
        Slurm slurm = slurm(Map.of("sbatch", "sleep 0.3; echo 9 > '" + mark + "'", "sacct", DISABLED, "squeue",
                "[ ! -e '" + mark + "' ] || echo '9|inferometer-2'"));
        new ProcessBuilder(folder + "/sbatch", "--comment=inferometer-2").start();
        assertThat(slurm.find("inferometer-2", Instant.now())).contains("9");
    }
}
