package org.inferometer.report.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.record.Verdict;
import org.inferometer.record.Verdict.Condition;
import org.inferometer.record.Verdict.State;
import org.junit.jupiter.api.Test;

class VerdictTextTest {
    @Test
    void meaningCountsEachState() {
        Condition met = new Condition(Verdict.Requirement.OTHER, "a", State.MET, "", "");
        Condition unchecked = new Condition(Verdict.Requirement.OTHER, "b", State.NOT_CHECKED, "", "");
        Condition warning = new Condition(Verdict.Requirement.OTHER, "c", State.WARNING, "", "");
        assertThat(VerdictText.meaning(new Verdict(Verdict.Grade.VALID, List.of(met, unchecked, unchecked))))
                .isEqualTo("All checked conditions are met. Conditions: 1 met, 2 not checked.");
        assertThat(VerdictText.meaning(new Verdict(Verdict.Grade.VALID, List.of(met, warning, warning))))
                .isEqualTo("No condition is broken; see the warnings. Conditions: 1 met, 2 warnings.");
    }

    @Test
    void validCellsOfAnInvalidResultMayBeUsed() {
        Condition runs = new Condition(Verdict.Requirement.ALL_RUNS_VALID, "all runs valid", State.BROKEN,
                "3 of 18 invalid", "");
        Condition missing = new Condition(Verdict.Requirement.ALL_RUNS_ENDED, "all planned runs completed",
                State.BROKEN, "15 of 18", "");
        assertThat(VerdictText.meaning(new Verdict(Verdict.Grade.INVALID, List.of(runs))))
                .isEqualTo("Do not use the figures of cells with an invalid run. Conditions: 1 not met.");
        assertThat(VerdictText.meaning(new Verdict(Verdict.Grade.INVALID, List.of(runs, missing))))
                .isEqualTo("Do not use these figures. Conditions: 2 not met.");
    }

    @Test
    void conditionsWithTheSameWordsAreOneSentence() {
        Verdict verdict = new Verdict(Verdict.Grade.INVALID, List.of(
                new Condition(Verdict.Requirement.STEADY_TTFT, "steady TTFT", State.NOT_CHECKED,
                        "fewer than 300 requests", ""),
                new Condition(Verdict.Requirement.NO_THROTTLING, "no thermal throttling", State.NOT_CHECKED,
                        "no readings", ""),
                new Condition(Verdict.Requirement.STEADY_E2E, "steady E2E", State.NOT_CHECKED,
                        "fewer than 300 requests", ""),
                new Condition(Verdict.Requirement.OTHER, "steady ITL", State.WARNING, "fewer than 300 requests", ""),
                new Condition(Verdict.Requirement.ALL_RUNS_ENDED, "all runs ended", State.MET, "all", ""),
                new Condition(Verdict.Requirement.NO_FAILURES, "no failed requests", State.BROKEN, "",
                        "See the reasons."),
                new Condition(Verdict.Requirement.ALL_RUNS_VALID, "all runs valid", State.BROKEN, "",
                        "See the reasons.")));
        assertThat(VerdictText.open(verdict)).extracting(VerdictText::sentence).containsExactly(
                "Not met: no failed requests. See the reasons.", "Not met: all runs valid. See the reasons.",
                "Warning: steady ITL (fewer than 300 requests)",
                "Not checked: steady TTFT; steady E2E (fewer than 300 requests)",
                "Not checked: no thermal throttling (no readings)");
    }
}
