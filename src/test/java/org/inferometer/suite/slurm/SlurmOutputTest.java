package org.inferometer.suite.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.inferometer.suite.slurm.JobStatus.JobState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Lines that Slurm 22.05 printed.
class SlurmOutputTest {
    private static final String SQUEUE = """
            1|FAILED|NonZeroExitCode|0:00|vm
            3|PENDING|(ReqNodeNotAvail, UnavailableNodes:n[1-4])|0:00|
            4_[0-2]|PENDING|None|0:00|
            5+0|RUNNING|None|1-02:03:04|n[1-3]
            5+1|PENDING|None|0:00|
            """;
    private static final String SACCT = """
            1|COMPLETED|0:0|00:00:02|vm
            4|CANCELLED by 0|0:0|00:00:00|None assigned
            """;
    private static final String SCONTROL =
            "JobId=1 JobName=a b UserId=root(0) GroupId=root(0) MCS_label=N/A Priority=4294901759 Nice=0 Account=(null) "
                    + "QOS=(null) JobState=FAILED Reason=NonZeroExitCode Dependency=(null) Requeue=1 Restarts=0 "
                    + "BatchFlag=1 Reboot=0 ExitCode=3:0 RunTime=00:00:00 TimeLimit=365-00:00:00 ReqNodeList=(null) "
                    + "ExcNodeList=(null) NodeList=vm BatchHost=vm NumNodes=1 Command=/tmp/a b.sh JobState=RUNNING \n";
    private static final String COMPLETED = """
            JobID|UID|JobName|Partition|NNodes|NodeList|State|End
            1|0|g.sh|batch|3|n[1-3]|FAILED|2026-11-23T17:11:49
            2|0|a|batch|1|vm||2026-11-23T17:10:07
            """;
    private static final String COMMENTS = """
            11|token-12
            12|token-1
            13|(null)
            9|a token-1 b
            x|token-1
            """;

    @Test
    void squeueLinesBecomeJobs() {
        assertThat(SlurmOutput.squeue(SQUEUE)).isEqualTo(Map.of("1",
                new JobStatus("1", JobState.FAILED, "FAILED", "NonZeroExitCode", "", "0:00", "vm"), "3",
                new JobStatus("3", JobState.PENDING, "PENDING", "(ReqNodeNotAvail, UnavailableNodes:n[1-4])", "",
                        "0:00", ""),
                "4", new JobStatus("4", JobState.PENDING, "PENDING", "", "", "0:00", ""), "5",
                new JobStatus("5", JobState.RUNNING, "RUNNING", "", "", "1-02:03:04", "n[1-3]")));
    }

    @Test
    void otherCommandsTellOneJob() {
        assertThat(SlurmOutput.sacct(SACCT, "4"))
                .contains(new JobStatus("4", JobState.CANCELLED, "CANCELLED by 0", "", "0:0", "00:00:00", ""));
        assertThat(SlurmOutput.sacct(SACCT, "2")).isEmpty();
        assertThat(SlurmOutput.scontrol(SCONTROL, "1"))
                .contains(new JobStatus("1", JobState.FAILED, "FAILED", "NonZeroExitCode", "3:0", "00:00:00", "vm"));
        assertThat(SlurmOutput.scontrol(SCONTROL, "2")).isEmpty();
        assertThat(SlurmOutput.completed(COMPLETED, "1"))
                .contains(new JobStatus("1", JobState.FAILED, "FAILED", "", "", "", "n[1-3]"));
        assertThat(SlurmOutput.completed(COMPLETED, "2")).isEmpty();
    }

    @Test
    void numbersAndTokensAreFound() {
        assertThat(SlurmOutput.submitted("12;cluster\n")).contains("12");
        assertThat(SlurmOutput.submitted("a warning\nSubmitted batch job 13\n")).contains("13");
        assertThat(SlurmOutput.submitted("12 or so")).isEmpty();
        assertThat(SlurmOutput.withToken(COMMENTS, "token-1")).contains("9");
        assertThat(SlurmOutput.withToken(COMMENTS, "token-12")).contains("11");
        assertThat(SlurmOutput.withToken("14||sbatch --parsable --comment=token-3 a.sh\n", "token-3")).contains("14");
        assertThat(SlurmOutput.withToken(COMMENTS, "oken-1")).isEmpty();
    }

    @Test
    @Timeout(5)
    void jobsWithoutTheirNextFieldTakeLinearTime() {
        assertThat(SlurmOutput.scontrol("JobId=1 " + " JobState=A Reason=".repeat(20_000), "1")).isEmpty();
    }

    @Test
    void messagesLosePrefixesAndNoise() {
        assertThat(CommandOutput.message("sbatch: error: invalid partition specified: nope\n"
                + "sbatch: error: can not load PMIx library\nsbatch: unrecognized option '--x'\n"
                + "Try \"sbatch --help\" for more information\n"))
                .isEqualTo("invalid partition specified: nope; sbatch: unrecognized option '--x'");
    }

    /// Each output with up to 8 places cut, repeated, doubled or changed: no reader may fail, and states are among the known.
    @Test
    void brokenOutputNeverFails() {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(11);
        for (int i = 0; i < 4_000; i++) {
            String text = List.of(SQUEUE, SACCT, SCONTROL, COMPLETED, COMMENTS).get(random.nextInt(5));
            for (int changes = random.nextInt(9); changes > 0 && !text.isEmpty(); changes--) {
                int from = random.nextInt(text.length());
                int to = Math.min(text.length(), from + random.nextInt(20));
                text = switch (random.nextInt(4)) {
                    case 0 -> text.substring(0, from) + text.substring(to);
                    case 1 -> text.substring(0, from) + text.substring(from, to).repeat(30) + text.substring(to);
                    case 2 -> text.substring(0, to) + text.substring(from);
                    default -> text.substring(0, from) + (char) random.nextInt(0x2100) + text.substring(to);
                };
            }
            SlurmOutput.squeue(text).forEach((id, job) -> assertThat(job.id()).isEqualTo(id).matches("[0-9]{1,18}"));
            for (String id : List.of("1", "4", "", "[")) {
                assertThat(List.of(SlurmOutput.sacct(text, id), SlurmOutput.scontrol(text, id),
                        SlurmOutput.completed(text, id)))
                        .allSatisfy(job -> assertThat(job.map(JobStatus::id).orElse(id)).isEqualTo(id));
            }
            Optional<String> found = SlurmOutput.withToken(text, "token-1");
            assertThat(found.orElse("1")).matches("[0-9]{1,18}");
            SlurmOutput.submitted(text);
            CommandOutput.message(text);
        }
    }
}
