package org.inferometer.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.results.SampleRecords;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;

class RepeatedFailureTest {
    private static final String REFUSED = "The server answered 401: no such key. Check the key in KEY.";

    private static RunRecord failed(String failure, RequestStatus status, RunEvent... events) {
        RunManifest manifest =
                SampleRecords.manifest(SampleRecords.plan(SampleRecords.spec(1), 0, 0, Path.of("x")), RunStatus.RUNNING)
                        .ended(RunManifest.RunOutcome.of(RunStatus.FAILED, failure));
        RequestOutcome request =
                new RequestOutcome(new RequestId(4), false, 8, 2, 0, 0, 0, 0, 9, status, "", new long[]{5, 9});
        return new RunRecord("run-000", manifest, new RunObservations(List.of(request), List.of(), List.of(),
                new RunObservations.Setup(1, 4, 2, 100), List.of(events)), List.of());
    }

    @Test
    void thirdRunWithoutSuccessIsHopeless() {
        RepeatedFailure failures = new RepeatedFailure();
        assertThat(failures.isHopelessAfter(failed("None of 20 requests succeeded.", RequestStatus.FAILED))).isFalse();
        assertThat(failures.isHopelessAfter(failed("None of 30 requests succeeded.", RequestStatus.FAILED))).isFalse();
        assertThat(failures.isHopelessAfter(failed("None of 20 requests succeeded.", RequestStatus.FAILED))).isTrue();
    }

    @Test
    void successBetweenFailuresStartsAgain() {
        RepeatedFailure failures = new RepeatedFailure();
        failures.isHopelessAfter(failed("Stopped.", RequestStatus.FAILED));
        failures.isHopelessAfter(failed("Stopped.", RequestStatus.OK));
        assertThat(failures.isHopelessAfter(failed("Stopped.", RequestStatus.FAILED))).isFalse();
    }

    @Test
    void refusedKeyMakesTheTargetUnusable() {
        RunEvent said = new RunEvent.TargetMessage(1, REFUSED);
        assertThat(RepeatedFailure.isTargetUnusable(failed(REFUSED, RequestStatus.FAILED, said))).isTrue();
        assertThat(RepeatedFailure.isTargetUnusable(failed("The disk is full.", RequestStatus.FAILED, said))).isFalse();
        assertThat(RepeatedFailure.isTargetUnusable(failed(REFUSED, RequestStatus.FAILED))).isFalse();
    }
}
