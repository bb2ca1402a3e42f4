package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.Test;

class NoticeLogTest {
    private final NoticeLog log = new NoticeLog(new SystemClock());

    @Test
    void newestNoticesAreKeptAndCounted() {
        for (int i = 0; i < 103; i++) {
            log.add("notice " + i, i == 50 ? NoticeLog.Severity.PROBLEM : NoticeLog.Severity.DONE, Optional.empty());
        }
        assertThat(log.notices()).hasSize(100);
        assertThat(log.notices().getFirst().sentence()).isEqualTo("notice 102");
        assertThat(log.notices().getLast().sentence()).isEqualTo("notice 3");
        assertThat(log.unseen().get()).isEqualTo(100);
        assertThat(log.unseenProblem().get()).isTrue();
        log.seen();
        assertThat(log.unseen().get()).isZero();
        assertThat(log.unseenProblem().get()).isFalse();
        log.add("one more", NoticeLog.Severity.PROBLEM, Optional.empty());
        log.add("and a success", NoticeLog.Severity.DONE, Optional.empty());
        assertThat(log.unseen().get()).isEqualTo(2);
        assertThat(log.unseenProblem().get()).isTrue();
        log.clear();
        assertThat(log.unseenProblem().get()).isFalse();
        assertThat(log.notices()).isEmpty();
        assertThat(log.unseen().get()).isZero();
    }
}
