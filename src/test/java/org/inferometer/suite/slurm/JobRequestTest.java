package org.inferometer.suite.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.inferometer.suite.slurm.JobRequest.Allocation;
import org.inferometer.suite.slurm.JobRequest.SbatchArguments;
import org.inferometer.suite.slurm.Slurm.SlurmException;
import org.inferometer.suite.slurm.Slurm.SlurmFeatures;
import org.inferometer.units.CommandWords;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobRequestTest {
    private static final Path SCRIPT = Path.of("/a b/disagg.slurm");
    private static final SlurmFeatures OLD = new SlurmFeatures("22.05.8", false, false, false);

    private static JobRequest request(Allocation allocation) {
        return new JobRequest("unified benchmark", allocation, "/logs/slurm-%j.out", "/logs/slurm-%j.err", SCRIPT,
                List.of("--isl", "1024", "a b", ""));
    }

    @Test
    void everyFieldBecomesItsArgument() throws SlurmException {
        Allocation allocation = new Allocation("batch", "me", "02:00:00", 9, 36, 4, true, 9,
                "--gres=gpu:4  --comment 'my own'\n -w n1");
        List<String> before = List.of("--parsable", "--partition=batch", "--account=me", "--time=02:00:00",
                "--job-name=unified-benchmark", "--nodes=9", "--ntasks=36", "--ntasks-per-node=4", "--exclusive");
        List<String> after = List.of("--gres=gpu:4", "--comment", "my own", "-w", "n1", "--output=/logs/slurm-%j.out",
                "--error=/logs/slurm-%j.err", "--no-requeue", "--comment=token", "/a b/disagg.slurm", "--isl", "1024",
                "a b", "");
        String replaced = "--comment is replaced: a comment marks the job, so that it is found again.";
        SbatchArguments old = request(allocation).arguments(OLD, "token");
        assertThat(old.words()).startsWith(before.toArray(String[]::new)).endsWith(after.toArray(String[]::new))
                .hasSize(before.size() + after.size());
        assertThat(old.notes()).containsExactly("--segment=9 is left out: Slurm 22.05.8 does not have it.", replaced);
        SbatchArguments today = request(allocation).arguments(new SlurmFeatures("24.11.1", true, true, true), "token");
        assertThat(today.words()).hasSize(old.words().size() + 1).contains("--segment=9",
                org.assertj.core.data.Index.atIndex(9));
        assertThat(today.notes()).containsExactly(replaced);
    }

    @Test
    void whatIsNotGivenIsLeftToSlurm() throws SlurmException {
        JobRequest request = new JobRequest("a|b", Allocation.DEFAULT, "", "", SCRIPT, List.of());
        assertThat(request.arguments(OLD, "t")).isEqualTo(new SbatchArguments(
                List.of("--parsable", "--job-name=a-b", "--no-requeue", "--comment=t", "/a b/disagg.slurm"),
                List.of()));
        assertThat(JobRequest.pattern(Path.of("/100%/j"), "%j.out")).isEqualTo("/100%%/j/%j.out");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '~',
            value = {"--array=0-2; --array, with which a job cannot be followed. Remove it.",
                    "-a0-2; -a, with which a job cannot be followed. Remove it.",
                    "--gres=gpu:4 --wait; --wait, with which a job cannot be followed. Remove it.",
                    "--clus=a; --clus (--cluster), with which a job cannot be followed. Remove it.",
                    "--outp=/tmp/a; --outp (--output), with which a job cannot be followed. Remove it.",
                    "-o /tmp; -o, with which a job cannot be followed. Remove it.",
                    "-Ho /tmp/a; \"-Ho\". Write each short option by itself.",
                    "--exclusive other.sh; \"other.sh\", which is no option. Write OPTION=VALUE, or quote the value.",
                    "--gres; --gres at the end, which needs a value. Add it.",
                    "--; \"--\", which ends the options. Remove it.",
                    "-w n1 - a; \"-\", which is no option. Write OPTION=VALUE, or quote the value.",
                    "--gres=gpu:4 other.sh; \"other.sh\", which is no option. Write OPTION=VALUE, or quote the value.",
                    "--constraint=\"a; \"--constraint=\"a\". A quote of the command is not closed. Close it with \"."})
    void optionsThatLoseTheJobAreRefused(String extra, String reason) {
        assertThatThrownBy(() -> request(Allocation.DEFAULT.withExtra(extra)).arguments(OLD, "t"))
                .hasMessage("The extra options of job \"unified benchmark\" have " + reason)
                .extracting(thrown -> ((SlurmException) thrown).kind()).isEqualTo(SlurmException.Kind.REFUSED);
    }

    @ParameterizedTest
    @CsvSource({"--exclusive=user", "--wait-all-nodes=1", "--nodelist n1 -x n2", "-wn1", "-H", "--gres gpu:1 --hold",
            "--comment --output", "''"})
    void otherOptionsArePassedOn(String extra) throws SlurmException {
        assertThat(ExtraOptions.of(extra).words()).isEqualTo(CommandWords.of(extra));
    }

    @Test
    void featuresAreReadFromHelp() {
        assertThat(SlurmFeatures.of("slurm-wlm 22.05.8\n", "      --spread-job            not with --segment\n", "",
                false)).isEqualTo(OLD);
        assertThat(SlurmFeatures.of("slurm 24.11.1", "      --segment=size          size\n",
                "      --container-image=[USER@]\n", true)).isEqualTo(new SlurmFeatures("24.11.1", true, true, true));
    }
}
