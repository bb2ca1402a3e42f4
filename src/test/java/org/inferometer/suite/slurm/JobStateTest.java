package org.inferometer.suite.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.stream.Collectors;
import org.inferometer.suite.slurm.JobStatus.JobState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobStateTest {
    @ParameterizedTest
    @CsvSource({"COMPLETED,COMPLETED", "CD,COMPLETED", "CANCELLED by 0,CANCELLED", "CANCELLED+,CANCELLED",
            "ca,CANCELLED", "F,FAILED", "OUT_OF_ME+,UNKNOWN", "OOM,OUT_OF_MEMORY", "R,RUNNING", "S,SUSPENDED",
            "SO,STAGE_OUT", "POWER_UP_NODE,UNKNOWN", "'',UNKNOWN", "UNKNOWN,UNKNOWN", "' TIMEOUT ',TIMEOUT"})
    void wordsBecomeStates(String word, JobState expected) {
        assertThat(JobState.of(word)).isEqualTo(expected);
    }

    @Test
    void tenStatesAreEnds() {
        EnumSet<JobState> ends = EnumSet.of(JobState.BOOT_FAIL, JobState.CANCELLED, JobState.COMPLETED,
                JobState.DEADLINE, JobState.FAILED, JobState.NODE_FAIL, JobState.OUT_OF_MEMORY, JobState.PREEMPTED,
                JobState.REVOKED, JobState.TIMEOUT);
        assertThat(Arrays.stream(JobState.values()).filter(JobState::isEnd).collect(Collectors.toSet()))
                .isEqualTo(ends);
        assertThat(JobState.values()).hasSize(25);
    }

    @Test
    void sentencesTellStateReasonAndExit() {
        assertThat(new JobStatus("7", JobState.FAILED, "FAILED", "", "0:9", "0:01", "n1").describe())
                .isEqualTo("Job 7 is FAILED, signal 9");
        assertThat(new JobStatus("7", JobState.UNKNOWN, "WEIRD", "", "0:0", "", "").describe())
                .isEqualTo("Job 7 is in the unknown state \"WEIRD\"");
        assertThat(new JobStatus("7", JobState.RUNNING, "RUNNING", "", "0:0", "", "n[1-3]").describe())
                .isEqualTo("Job 7 is RUNNING on n[1-3]");
    }
}
