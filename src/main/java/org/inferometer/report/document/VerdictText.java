package org.inferometer.report.document;

import java.util.Comparator;
import java.util.List;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.Verdict;

/// A verdict in words, the same in every kind of report.
final class VerdictText {
    private VerdictText() {}

    /// Why there is none, in one plain sentence.
    static String absence(ExperimentManifest experiment) {
        if (ImportedExperiment.areOf(experiment)) {
            return "Not judged: measured by another tool, whose conditions nobody watched here.";
        }
        return experiment.endedWall() == null ? "Not judged: the experiment has not ended by itself."
                : "Not judged: no run ended.";
    }

    static String meaning(Verdict verdict) {
        long met = verdict.conditions().stream().filter(condition -> condition.state() == Verdict.State.MET).count();
        String share = met + " of " + verdict.conditions().size() + " conditions met.";
        return switch (verdict.grade()) {
            case VALID -> "Every condition that was checked holds. " + share;
            case INVALID -> "Do not rely on these figures. " + share;
            case PREVIEW -> "Too little was run for a verdict. " + share;
        };
    }

    /// The conditions that are not met, the broken ones first.
    static List<Verdict.Condition> open(Verdict verdict) {
        return verdict.conditions().stream().filter(condition -> condition.state() != Verdict.State.MET)
                .sorted(Comparator.comparingInt(condition -> order(condition.state()))).toList();
    }

    static String word(Verdict.State state) {
        return switch (state) {
            case MET -> "Met";
            case BROKEN -> "Not met";
            case TOO_LITTLE -> "Too little";
            case WARNING -> "Warning";
            case NOT_CHECKED -> "Not checked";
        };
    }

    private static int order(Verdict.State state) {
        return switch (state) {
            case BROKEN -> 0;
            case TOO_LITTLE -> 1;
            case WARNING -> 2;
            case NOT_CHECKED -> 3;
            case MET -> 4;
        };
    }
}
