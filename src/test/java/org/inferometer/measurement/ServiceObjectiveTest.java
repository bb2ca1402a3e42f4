package org.inferometer.measurement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.measurement.Outcomes.MS;

import java.util.List;
import java.util.OptionalDouble;
import org.inferometer.serving.RequestStatus;
import org.junit.jupiter.api.Test;

class ServiceObjectiveTest {
    private static final OptionalDouble NONE = OptionalDouble.empty();
    private static final RequestOutcome REQUEST = Outcomes.ok(0, 0, 100, 150, 200);

    private static OptionalDouble millis(double millis) {
        return OptionalDouble.of(millis * MS);
    }

    @Test
    void requestMustMeetEveryLimit() {
        assertThat(new ServiceObjective(millis(100), millis(50), millis(200)).met(REQUEST)).isTrue();
        assertThat(new ServiceObjective(millis(99), millis(50), millis(200)).met(REQUEST)).isFalse();
        assertThat(new ServiceObjective(millis(100), millis(49), millis(200)).met(REQUEST)).isFalse();
        assertThat(new ServiceObjective(millis(100), millis(50), millis(199)).met(REQUEST)).isFalse();
        assertThat(new ServiceObjective(NONE, NONE, NONE).met(REQUEST)).isTrue();
    }

    @Test
    void requestOfOneTokenMeetsAnyTpot() {
        assertThat(new ServiceObjective(NONE, millis(0), NONE).met(Outcomes.ok(0, 0, 100))).isTrue();
    }

    @Test
    void failedRequestMeetsNothing() {
        RequestOutcome failed = Outcomes.of(0, false, 10, 2, 0, 0, 0, 0, RequestStatus.TIMED_OUT, 1, 2);
        assertThat(new ServiceObjective(NONE, NONE, NONE).met(failed)).isFalse();
    }

    @Test
    void goodputCountsGoodRequestsOverTheWindow() {
        List<RequestOutcome> requests = List.of(Outcomes.warmUp(9, 0, 1), Outcomes.ok(0, 0, 100), Outcomes.ok(1, 1000, 1500), Outcomes.ok(2, 1900, 2000));
        assertThat(new ServiceObjective(millis(100), NONE, NONE).goodput(requests)).contains(new Figure(Metrics.GOODPUT, 1.0, 3, true));
        assertThat(new ServiceObjective(NONE, NONE, NONE).goodput(List.of())).isEmpty();
    }
}
