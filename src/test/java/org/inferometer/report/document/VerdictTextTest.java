package org.inferometer.report.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.record.Verdict;
import org.inferometer.record.Verdict.Condition;
import org.inferometer.record.Verdict.State;
import org.junit.jupiter.api.Test;

class VerdictTextTest {
    @Test
    void conditionsWithTheSameWordsAreOneSentence() {
        Verdict verdict = new Verdict(Verdict.Grade.INVALID,
                List.of(new Condition("steady TTFT", State.NOT_CHECKED, "fewer than 300 requests", ""),
                        new Condition("no thermal throttling", State.NOT_CHECKED, "no readings", ""),
                        new Condition("steady E2E", State.NOT_CHECKED, "fewer than 300 requests", ""),
                        new Condition("steady ITL", State.WARNING, "fewer than 300 requests", ""),
                        new Condition("all runs ended", State.MET, "all", ""),
                        new Condition("no failed requests", State.BROKEN, "", "See the reasons."),
                        new Condition("all runs valid", State.BROKEN, "", "See the reasons.")));
        assertThat(VerdictText.open(verdict)).extracting(VerdictText::sentence).containsExactly(
                "Not met: no failed requests. See the reasons.", "Not met: all runs valid. See the reasons.",
                "Warning: steady ITL (fewer than 300 requests)",
                "Not checked: steady TTFT; steady E2E (fewer than 300 requests)",
                "Not checked: no thermal throttling (no readings)");
    }
}
