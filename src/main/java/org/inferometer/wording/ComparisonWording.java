package org.inferometer.wording;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.inferometer.finding.Advice;
import org.inferometer.finding.NotJudged;
import org.inferometer.finding.PairCaution;
import org.inferometer.finding.PairContrast;
import org.inferometer.finding.PairContrast.SettingChange;
import org.inferometer.finding.SideDifference;
import org.inferometer.units.LetterCase;
import org.jspecify.annotations.Nullable;

/// The sentences of a comparison: what differs between its sides, and why figures may mislead.
public final class ComparisonWording {
    private static final int MOST_NAMED = 4;

    private ComparisonWording() {}

    /// "Model differs: tiny (base), large (candidate)."
    public static String sentence(SideDifference difference) {
        return LetterCase.capitalized(clause(difference)) + switch (difference) {
            case SideDifference.OfProperty property -> values(property);
            case SideDifference.UnknownRequests unknown -> "";
            case SideDifference.UnsharedSeeds seeds ->
                ": " + seeds.shared() + " of " + seeds.seeds() + (seeds.seeds() == 1 ? " seed" : " seeds") + " shared";
            case SideDifference.OtherDraws draws ->
                ": " + draws.base() + " and " + draws.candidate() + " draw different requests from the same seeds";
            case SideDifference.OtherLengths lengths -> String.format(Locale.ROOT,
                    ": %.1f tokens a request (base), %.1f (candidate)", lengths.base(), lengths.candidate());
        } + ".";
    }

    private static String values(SideDifference.OfProperty property) {
        String base = property.base();
        String candidate = property.candidate();
        return base != null && candidate != null ? ": " + base + " (base), " + candidate + " (candidate)"
                : base != null ? " (base: " + base + ")"
                : candidate != null ? " (candidate: " + candidate + ")"
                : "";
    }

    /// "model differs", "device is not known of the base"
    private static String clause(SideDifference difference) {
        return switch (difference) {
            case SideDifference.OfProperty property -> label(property.property()) + (property.isUnknown()
                    ? " is not known" + unknown(property.base() == null, property.candidate() == null) : " differs");
            case SideDifference.UnknownRequests(var ofBase, var ofCandidate) ->
                "requests are not known" + unknown(ofBase, ofCandidate);
            case SideDifference.UnsharedSeeds seeds -> "requests differ";
            case SideDifference.OtherDraws draws -> "workloads differ";
            case SideDifference.OtherLengths lengths -> switch (lengths.length()) {
                case ANSWER -> "lengths of answers differ";
                case PROMPT -> "lengths of prompts differ";
            };
        };
    }

    private static String unknown(boolean ofBase, boolean ofCandidate) {
        return ofBase && ofCandidate ? " on either side" : ofBase ? " of the base" : " of the candidate";
    }

    private static String label(SideDifference.Property property) {
        return switch (property) {
            case MODEL -> "model";
            case DEVICE -> "device";
        };
    }

    /// What differs, in a word or two: "drawn requests".
    private static String subject(SideDifference difference) {
        return difference instanceof SideDifference.OfProperty property ? label(property.property()) : "drawn requests";
    }

    /// "scheduler naive → continuous"
    private static String clause(SettingChange change) {
        return change.setting() + " " + change.before() + " → " + change.after();
    }

    /// "Settings that differ: scheduler naive → continuous; max batch size default → 8."
    public static String settings(List<SettingChange> changes) {
        return "Settings that differ: " + joined(changes) + ".";
    }

    private static String joined(List<SettingChange> changes) {
        return changes.stream().map(ComparisonWording::clause).collect(Collectors.joining("; "));
    }

    /// "Differs: precision FP8 → INT4. Same: model, workload, seeds, device, definitions."
    public static String sentence(PairContrast contrast) {
        List<String> differs = differing(contrast);
        List<String> unknown = unknown(contrast);
        return "Differs: " + (differs.isEmpty() ? "no setting" : String.join("; ", differs))
                + (unknown.isEmpty() ? "" : ". Not known: " + String.join(", ", unknown)) + ". Same: "
                + String.join(", ", same(contrast)) + ".";
    }

    /// "precision FP8 → INT4", "drawn requests"
    public static List<String> differing(PairContrast contrast) {
        List<String> differs = new ArrayList<>(contrast.settings().stream().map(ComparisonWording::clause).toList());
        contrast.differences().stream().filter(each -> !each.isUnknown()).map(ComparisonWording::subject)
                .forEach(differs::add);
        return differs;
    }

    /// What a side does not know: "device".
    public static List<String> unknown(PairContrast contrast) {
        return contrast.differences().stream().filter(SideDifference::isUnknown).map(ComparisonWording::subject)
                .toList();
    }

    /// "model", "workload"
    public static List<String> same(PairContrast contrast) {
        return contrast.same().stream().map(each -> each.name().toLowerCase(Locale.ROOT)).toList();
    }

    /// "Not ranked: model differs, a run is INVALID."
    ///
    /// @param invalid whether a run is INVALID
    public static HeadedText notRanked(List<SideDifference> differences, boolean invalid) {
        List<String> reasons = new ArrayList<>(differences.stream().map(ComparisonWording::clause).distinct().toList());
        if (invalid) {
            reasons.add("a run is INVALID");
        }
        return new HeadedText("Not ranked", ": " + String.join(", ", reasons) + ".");
    }

    /// "Two experiments, 3 min to 2 d apart: the intervals contain the variation between experiments (selfcheck --aa)."
    ///
    /// @param names what experiments and sides are called
    public static String sentence(PairCaution caution, UnaryOperator<String> names, Voice voice) {
        return switch (caution) {
            case PairCaution.InvalidRun(var side) -> names.apply(side) + " has an INVALID run: do not use its figures.";
            case PairCaution.InvalidResult result -> invalidAsAWhole(names.apply(result.experiment()), result.broken())
                    + " The runs of " + names.apply(result.side()) + " are not INVALID.";
            case PairCaution.TwoExperiments two -> "Two experiments, " + distance(two.shortest(), two.longest())
                    + ": the intervals " + variation(two, voice);
        };
    }

    /// "quick is INVALID as a whole: not met: no failed requests."
    public static String invalidAsAWhole(String experiment, String broken) {
        return experiment + " is INVALID as a whole: not met: " + broken + ".";
    }

    private static String variation(PairCaution.TwoExperiments two, Voice voice) {
        String learned = voice.words(Advice.Action.VARIATION);
        List<String> uncovered = two.uncovered();
        if (!two.covered()) {
            return "do not contain the variation between experiments. Measure both sides in one "
                    + voice.words(Advice.Action.AGAINST) + ", or learn the variation " + learned + ".";
        }
        return "contain the variation between experiments " + learned + (uncovered.isEmpty() ? ""
                : ", but not for " + uncovered.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
                        + (uncovered.size() > MOST_NAMED ? " and " + (uncovered.size() - MOST_NAMED) + " more" : ""))
                + ".";
    }

    /// "3 min apart", "3 min to 2 d 3 h apart"
    private static String distance(@Nullable Duration shortest, @Nullable Duration longest) {
        if (shortest == null || longest == null) {
            return "distance in time not known";
        }
        String low = text(shortest);
        String high = text(longest);
        return low + (low.equals(high) ? "" : " to " + high) + " apart";
    }

    private static String text(Duration apart) {
        return apart.toDays() > 0 ? apart.toDays() + " d " + apart.toHoursPart() + " h"
                : apart.toHours() > 0 ? apart.toHours() + " h " + apart.toMinutesPart() + " min"
                : apart.toMinutes() > 0 ? apart.toMinutes() + " min"
                : apart.toSeconds() + " s";
    }

    /// "a run is INVALID"
    public static String clause(NotJudged reason) {
        return switch (reason) {
            case INVALID_RUN -> "a run is INVALID";
            case TOO_FEW_RUNS -> "each side needs 2 runs or more, 3 with the same seeds to pair";
        };
    }
}
