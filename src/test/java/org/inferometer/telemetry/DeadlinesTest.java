package org.inferometer.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DeadlinesTest {
    private final Deadlines deadlines = new Deadlines(1000, 100);

    @Test
    void lateSampleDoesNotMoveTheNextDeadline() {
        deadlines.advance(1000);
        assertThat(deadlines.nextNanos()).isEqualTo(1100);
        deadlines.advance(1199);
        assertThat(deadlines.nextNanos()).isEqualTo(1200);
        assertThat(deadlines.missed()).isZero();
    }

    @Test
    void aDeadlineIsOverdueOnceItIsAWholePeriodLate() {
        assertThat(deadlines.overdue(900)).isZero();
        assertThat(deadlines.overdue(1099)).isZero();
        assertThat(deadlines.overdue(1350)).isEqualTo(3);
        deadlines.advance(1350);
        assertThat(deadlines.missed()).isEqualTo(3);
        assertThat(deadlines.overdue(1350)).isZero();
    }

    @Test
    void deadlinesAWholePeriodAgoAreMissedAndNotCaughtUp() {
        deadlines.advance(1350);
        assertThat(deadlines.missed()).isEqualTo(3);
        assertThat(deadlines.nextNanos()).isEqualTo(1400);
    }
}
