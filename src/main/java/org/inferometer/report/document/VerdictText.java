package org.inferometer.report.document;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.Verdict;
import org.inferometer.record.Verdict.Requirement;
import org.inferometer.units.LetterCase;
import org.inferometer.wording.HeadedText;

/// A verdict as text, the same on the command line and in every report format.
public final class VerdictText {
    private VerdictText() {}

    /// Why an experiment has no verdict, in one sentence that begins with "Not judged:".
    public static HeadedText absence(ExperimentManifest experiment) {
        if (ImportedExperiment.isImported(experiment)) {
            boolean loaded = experiment.cells().stream()
                    .anyMatch(cell -> ImportedExperiment.arrivals(experiment, cell).isPresent());
            return new HeadedText("Not judged",
                    ": measured by another tool. Unknown: whether "
                            + (loaded ? "load generator and server kept up, and " : "") + "the machine was free."
                            + (loaded ? " Its rates may contain filling and draining." : ""));
        }
        return new HeadedText("Not judged",
                experiment.times().ended() == null ? ": the experiment has not ended." : ": no run has ended.");
    }

    /// The grade with its meaning: "Do not use these figures. Conditions: 12 met, 2 not checked."
    public static String meaning(Verdict verdict) {
        String counts = Stream
                .of(Verdict.State
                        .values())
                .filter(state -> count(verdict, state) > 0)
                .map(state -> count(verdict, state) + " " + (state == Verdict.State.WARNING && count(verdict, state) > 1
                        ? "warnings" : LetterCase.lower(label(state))))
                .collect(Collectors.joining(", "));
        boolean warned = count(verdict, Verdict.State.WARNING) > 0;
        return switch (verdict.grade()) {
            case VALID -> warned ? "No condition is broken; see the warnings. " : "All checked conditions are met. ";
            case INVALID -> onlyRuns(verdict) ? "Do not use the figures of cells with an invalid run. "
                    : "Do not use these figures. ";
            case PREVIEW -> "Too few runs, requests or seconds for a verdict. ";
        } + "Conditions: " + (counts.isEmpty() ? "none" : counts) + ".";
    }

    /// Whether nothing but invalid runs breaks the verdict of an experiment: its other cells can be used.
    private static boolean onlyRuns(Verdict verdict) {
        return count(verdict, Verdict.State.BROKEN) > 0
                && verdict.conditions().stream().filter(condition -> condition.state() == Verdict.State.BROKEN)
                        .allMatch(condition -> condition.requirement() == Requirement.ALL_RUNS_VALID);
    }

    private static long count(Verdict verdict, Verdict.State state) {
        return verdict.conditions().stream().filter(condition -> condition.state() == state).count();
    }

    /// One condition as a sentence: "Not met: no failed requests (3 of 96 failed). See the failure reasons."
    static String sentence(Verdict.Condition condition) {
        return label(condition.state()) + ": " + text(condition);
    }

    /// One condition without its state: "no failed requests (3 of 96 failed). See the failure reasons."
    public static String text(Verdict.Condition condition) {
        return condition.name() + (condition.observed().isEmpty() ? "" : " (" + condition.observed() + ")")
                + (condition.remedy().isEmpty() ? "" : ". " + condition.remedy());
    }

    /// The conditions that are not met, broken ones first. Those with the same observation and remedy are one, with their names joined.
    public static List<Verdict.Condition> open(Verdict verdict) {
        return Stream
                .of(Verdict.State.BROKEN, Verdict.State.TOO_LITTLE, Verdict.State.WARNING, Verdict.State.NOT_CHECKED)
                .flatMap(state -> joined(
                        verdict.conditions().stream().filter(condition -> condition.state() == state).toList())
                        .stream())
                .toList();
    }

    /// @param conditions of one state
    private static Collection<Verdict.Condition> joined(List<Verdict.Condition> conditions) {
        Map<String, Verdict.Condition> joined = new LinkedHashMap<>();
        conditions.forEach(condition -> joined.merge(
                condition.observed().isEmpty() ? condition.name() : condition.observed() + '\n' + condition.remedy(),
                condition, (first, next) -> new Verdict.Condition(first.requirement(),
                        first.name() + "; " + next.name(), first.state(), first.observed(), first.remedy())));
        return joined.values();
    }

    /// The state of a condition: "Not met".
    public static String label(Verdict.State state) {
        return switch (state) {
            case MET -> "Met";
            case BROKEN -> "Not met";
            case TOO_LITTLE -> "Not enough";
            case WARNING -> "Warning";
            case NOT_CHECKED -> "Not checked";
        };
    }
}
