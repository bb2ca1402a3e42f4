package org.inferometer.ui.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javafx.scene.Parent;
import javafx.scene.control.Label;
import org.inferometer.record.Verdict;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class VerdictListTest {
    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    private static Parent view(Verdict verdict) {
        return (Parent) VerdictList.createView(verdict, () -> {});
    }

    @Test
    void whatIsWrongIsReadFirst() throws Exception {
        List<String> names = WaitForAsyncUtils.asyncFx(() -> {
            Parent list = view(new Verdict(Verdict.Grade.INVALID, List.of(
                    new Verdict.Condition(Verdict.Requirement.OTHER, "ended", Verdict.State.MET, "", ""),
                    new Verdict.Condition(Verdict.Requirement.OTHER, "throttled", Verdict.State.NOT_CHECKED, "", ""),
                    new Verdict.Condition(Verdict.Requirement.STEADY_THROUGHPUT, "steady", Verdict.State.WARNING, "",
                            ""),
                    new Verdict.Condition(Verdict.Requirement.OTHER, "large", Verdict.State.TOO_LITTLE, "", ""),
                    new Verdict.Condition(Verdict.Requirement.OTHER, "punctual", Verdict.State.BROKEN, "", ""))));
            return list.getChildrenUnmodifiable().stream()
                    .map(row -> (Label) ((Parent) row).getChildrenUnmodifiable().get(1)).map(Label::getText).toList();
        }).get(20, TimeUnit.SECONDS);
        assertThat(names).containsExactly("punctual", "large", "steady", "ended", "throttled");
    }

    @Test
    void conditionsOfWhichTheSameIsSaidShareALine() throws Exception {
        List<String> lines = WaitForAsyncUtils.asyncFx(() -> {
            Parent list = view(new Verdict(Verdict.Grade.PREVIEW,
                    List.of(new Verdict.Condition(Verdict.Requirement.STEADY_TTFT, "steady TTFT",
                            Verdict.State.NOT_CHECKED, "fewer than 300", ""),
                            new Verdict.Condition(Verdict.Requirement.OTHER, "no throttling", Verdict.State.NOT_CHECKED,
                                    "no readings", ""),
                            new Verdict.Condition(Verdict.Requirement.STEADY_E2E, "steady E2E",
                                    Verdict.State.NOT_CHECKED, "fewer than 300", ""),
                            new Verdict.Condition(Verdict.Requirement.OTHER, "late", Verdict.State.WARNING,
                                    "fewer than 300", ""))));
            return list.getChildrenUnmodifiable().stream().map(row -> ((Parent) row).getChildrenUnmodifiable().stream()
                    .skip(1).map(part -> ((Label) part).getText()).collect(Collectors.joining(": "))).toList();
        }).get(20, TimeUnit.SECONDS);
        assertThat(lines).containsExactly("late: warning · fewer than 300",
                "steady TTFT\nsteady E2E: not checked · fewer than 300", "no throttling: not checked · no readings");
    }

    @Test
    void aBrokenConditionIsNoDoubleNegativeAndNothingIsSaidTwice() throws Exception {
        List<String> words = WaitForAsyncUtils.asyncFx(() -> {
            Parent list = view(new Verdict(Verdict.Grade.INVALID,
                    List.of(new Verdict.Condition(Verdict.Requirement.ALL_RUNS_VALID, "no run is invalid",
                            Verdict.State.BROKEN, "in tiny-int4 · naive", "Run it again."),
                            new Verdict.Condition(Verdict.Requirement.NO_THROTTLING, "no thermal throttling",
                                    Verdict.State.NOT_CHECKED, "not checked", ""))));
            return list.getChildrenUnmodifiable().stream()
                    .map(row -> (Label) ((Parent) row).getChildrenUnmodifiable().getLast()).map(Label::getText)
                    .toList();
        }).get(20, TimeUnit.SECONDS);
        assertThat(words).containsExactly("not met · in tiny-int4 · naive · Run it again.", "not checked");
    }
}
