package org.inferometer.measurement.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.measurement.verdict.ExperimentVerdict.CellVerdicts;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.record.Verdict.Condition;
import org.inferometer.record.Verdict.Grade;
import org.inferometer.record.Verdict.State;
import org.junit.jupiter.api.Test;

class ExperimentVerdictTest {
    private static final Verdict VALID =
            new Verdict(Grade.VALID, List.of(new Condition(Verdict.Requirement.GENERATOR_CEILING, "generator",
                    State.NOT_CHECKED, "not checked", "selfcheck")));
    private static final Verdict PREVIEW = new Verdict(Grade.PREVIEW, List.of());
    private static final Verdict INVALID = new Verdict(Grade.INVALID, List.of());

    private static CellVerdicts cell(String name, int planned, Verdict... verdicts) {
        return new CellVerdicts(name, planned, List.of(verdicts));
    }

    private static Grade gradeOf(CellVerdicts... cells) {
        return ExperimentVerdict.judge(List.of(cells)).grade();
    }

    @Test
    void threeValidRunsOfEachCellAreValid() {
        assertThat(gradeOf(cell("a", 3, VALID, VALID, VALID), cell("b", 3, VALID, VALID, VALID)))
                .isEqualTo(Grade.VALID);
    }

    @Test
    void fewerThanThreeRunsArePreview() {
        Verdict verdict = ExperimentVerdict.judge(List.of(cell("a", 2, VALID, VALID)));
        assertThat(verdict.grade()).isEqualTo(Grade.PREVIEW);
        assertThat(verdict.conditions()).filteredOn(condition -> condition.state() == State.TOO_LITTLE)
                .containsExactly(new Condition(Verdict.Requirement.REPEATED_RUNS, "at least 3 runs per cell",
                        State.TOO_LITTLE, "2", "Measure 1 more run."));
    }

    @Test
    void previewRunMakesAPreview() {
        assertThat(gradeOf(cell("a", 3, VALID, PREVIEW, VALID))).isEqualTo(Grade.PREVIEW);
    }

    @Test
    void invalidRunMakesTheExperimentInvalid() {
        Verdict verdict = ExperimentVerdict
                .judge(List.of(cell("a", 3, VALID, VALID, VALID), cell("b", 3, VALID, INVALID, VALID)));
        assertThat(verdict.grade()).isEqualTo(Grade.INVALID);
        assertThat(verdict.conditions()).filteredOn(condition -> condition.state() == Verdict.State.BROKEN)
                .extracting(condition -> condition.name() + ": " + condition.observed())
                .containsExactly("all runs valid: 1 of 6 invalid (b)");
    }

    @Test
    void runWithoutAResultMakesTheExperimentInvalid() {
        assertThat(gradeOf(cell("a", 4, VALID, VALID, VALID))).isEqualTo(Grade.INVALID);
        assertThat(gradeOf()).isEqualTo(Grade.INVALID);
    }

    @Test
    void stoppedWithoutARunChecksNothing() {
        assertThat(ExperimentVerdict.judge(List.of(cell("a", 1), cell("b", 1)), RunStatus.CANCELLED, List.of())
                .conditions())
                .containsExactly(
                        new Condition(Verdict.Requirement.ALL_RUNS_ENDED, "all planned runs completed", State.BROKEN,
                                "0 of 2", "The experiment was stopped. Run it again to the end."),
                        new Condition(Verdict.Requirement.ALL_RUNS_VALID, "all runs valid", State.NOT_CHECKED, "no run",
                                ""),
                        new Condition(Verdict.Requirement.LARGE_RUNS, "enough requests and seconds in every run",
                                State.NOT_CHECKED, "no run", ""),
                        new Condition(Verdict.Requirement.REPEATED_RUNS, "at least 3 runs per cell", State.TOO_LITTLE,
                                "0", "Measure 3 more runs."));
    }

    @Test
    void extraRunDoesNotHideAMissingRun() {
        assertThat(gradeOf(cell("a", 3, VALID, VALID, VALID, VALID), cell("b", 4, VALID, VALID, VALID)))
                .isEqualTo(Grade.INVALID);
    }

    @Test
    void warningHidesTheSameUncheckedCondition() {
        Verdict warned = new Verdict(Grade.VALID, List
                .of(new Condition(Verdict.Requirement.GENERATOR_CEILING, "generator", State.WARNING, "late", "Wait.")));
        assertThat(ExperimentVerdict.judge(List.of(cell("a", 3, warned, VALID, VALID))).conditions())
                .filteredOn(condition -> condition.name().equals("generator")).containsExactly(new Condition(
                        Verdict.Requirement.GENERATOR_CEILING, "generator", State.WARNING, "not in a", "Wait."));
    }

    @Test
    void warningsOfRunsAreListedOnceWithCells() {
        Verdict warned = new Verdict(Grade.VALID, List.of(new Condition(Verdict.Requirement.STEADY_THROUGHPUT, "steady",
                State.WARNING, "moved by 20 %", "Run longer.")));
        Verdict verdict = ExperimentVerdict.judge(List.of(cell("a", 3, warned, VALID, warned),
                cell("b", 3, VALID, VALID, VALID), cell("c", 3, VALID, VALID, warned)));
        assertThat(verdict.grade()).isEqualTo(Grade.VALID);
        assertThat(verdict.conditions()).filteredOn(condition -> condition.state() == State.WARNING)
                .containsExactly(new Condition(Verdict.Requirement.STEADY_THROUGHPUT, "steady", State.WARNING,
                        "not in a, c", "Run longer."));
    }

    @Test
    void uncheckedConditionsAreListedOnce() {
        assertThat(ExperimentVerdict.judge(List.of(cell("a", 3, VALID, VALID, VALID))).conditions())
                .filteredOn(condition -> condition.state() == State.NOT_CHECKED)
                .containsExactly(new Condition(Verdict.Requirement.GENERATOR_CEILING, "generator", State.NOT_CHECKED,
                        "not checked", "selfcheck"));
    }
}
