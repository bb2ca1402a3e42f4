package org.inferometer.workload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WorkloadSpecTest {
    private static final WorkloadSpec CHAT = new WorkloadPresets().find("chat");
    private static final WorkloadSpec FILE = new WorkloadPresets().find("prompts:questions.txt");
    private static final WorkloadSpec TRACE = new WorkloadPresets().find("trace:conv.csv");

    @Test
    void theSizeOfALoadIsWhatEndsIt() {
        assertThat(CHAT.withRequests(60).sizeText()).isEqualTo("60 requests");
        assertThat(CHAT.withRequests(1).sizeText()).isEqualTo("1 request");
        assertThat(lasting(CHAT.withRequests(60), 20_000_000_000L).sizeText()).isEqualTo("at most 60 requests in 20 s");
        assertThat(lasting(CHAT.withRequests(0), 1_500_000_000L).sizeText()).isEqualTo("for 1.5 s");
        assertThat(FILE.sizeText()).isEqualTo("all of its file");
        assertThat(lasting(FILE, 600_000_000_000L).sizeText()).isEqualTo("for 600 s");
        assertThat(TRACE.sizeText()).isEqualTo("all of its trace");
        assertThat(lasting(TRACE, 20_000_000_000L).sizeText()).isEqualTo("its trace for at most 20 s");
        assertThat(TRACE.withRequests(500).sizeText()).isEqualTo("500 requests");
        assertThat(CHAT.withRequests(0).sizeText()).isEqualTo("an unknown number of requests");
    }

    private static WorkloadSpec lasting(WorkloadSpec load, long nanos) {
        return load.withRefinements(load.refinements().withDuration(nanos));
    }
}
