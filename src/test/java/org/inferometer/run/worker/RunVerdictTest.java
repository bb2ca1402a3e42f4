package org.inferometer.run.worker;

import static org.assertj.core.api.Assertions.assertThat;

import org.inferometer.measurement.verdict.RunExpectation;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.Test;

class RunVerdictTest {
    private static final long TEN_SECONDS = 10_000_000_000L;

    private static WorkloadSpec load(String arrivals, int requests) {
        return new WorkloadSpec("short", LengthDistribution.parse("64"), LengthDistribution.parse("8"), null, 0,
                ArrivalProcess.parse(arrivals), requests, 0);
    }

    private static WorkloadSpec lasting(String arrivals, int requests) {
        WorkloadSpec load = load(arrivals, requests);
        return load.withRefinements(load.refinements().withDuration(TEN_SECONDS));
    }

    @Test
    void aNumberOfRequestsIsExpectedAsItWasDrawn() {
        assertThat(RunVerdict.expectation(load("closed:concurrency=4", 60), 60)).isEqualTo(RunExpectation.requests(60));
    }

    @Test
    void timedClosedLoopMustLastNearlyItsPlannedTime() {
        assertThat(RunVerdict.expectation(lasting("closed:concurrency=4", 0), 1000))
                .isEqualTo(RunExpectation.requests(1).lasting(9_500_000_000L));
        assertThat(RunVerdict.expectation(lasting("closed:concurrency=4", 60), 60))
                .isEqualTo(RunExpectation.requests(1));
    }

    @Test
    void anOpenLoopHasExactlyTheRequestsThatComeWithinItsTime() {
        assertThat(RunVerdict.expectation(lasting("poisson:rate=4.0", 0), 41)).isEqualTo(RunExpectation.requests(41));
    }
}
