package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.finding.PairCaution;
import org.inferometer.record.Verdict.Condition;
import org.inferometer.record.Verdict.State;
import org.inferometer.report.DifferenceText;
import org.inferometer.report.compare.ResultComparison.Pair;
import org.inferometer.wording.ComparisonWording;

/// The INVALID runs and results of a comparison: by pair, and once for all pairs with what gives a verdict.
final class InvalidSides {
    private static final int MOST_NAMED = 3;

    private InvalidSides() {}

    /// The cautions of one pair.
    static List<PairCaution> ofPair(ComparedSide base, ComparedSide candidate) {
        return Stream.of(base, candidate)
                .flatMap(side -> side.invalid() ? Stream.of(new PairCaution.InvalidRun(side.name()))
                        : side.origin().invalid().isEmpty() ? Stream.<PairCaution>empty()
                        : Stream.of(new PairCaution.InvalidResult(side.origin().experiment(), side.origin().invalid(),
                                side.name())))
                .distinct().toList();
    }

    /// Sentences on all pairs: which cells are shown and not ranked, what gives them a verdict, and which results are INVALID as a whole.
    ///
    /// @param names of the sides
    static List<String> sentences(List<Pair> pairs, SideNames names) {
        Map<String, ComparedSide> sides = new LinkedHashMap<>();
        pairs.forEach(pair -> Stream.of(pair.baseSide(), pair.candidateSide())
                .forEach(side -> sides.putIfAbsent(side.name(), side)));
        List<ComparedSide> invalid = sides.values().stream().filter(ComparedSide::invalid).toList();
        List<String> sentences = new ArrayList<>();
        if (!invalid.isEmpty()) {
            sentences.add("Shown, not ranked, with an INVALID run: " + named(invalid, sides.size(), names)
                    + ". For a verdict: " + remedy(invalid).map(DifferenceText::lowerFirst).orElse("measure again."));
        }
        Map<String, String> whole = new LinkedHashMap<>();
        sides.values().stream().filter(side -> !side.invalid() && !side.origin().invalid().isEmpty())
                .forEach(side -> whole.putIfAbsent(side.origin().experiment(), side.origin().invalid()));
        whole.forEach(
                (experiment, broken) -> sentences.add(ComparisonWording.invalidAsAWhole(names.named(experiment), broken)
                        + (invalid.isEmpty() ? " The compared runs are not INVALID." : "")));
        return List.copyOf(sentences);
    }

    private static String named(List<ComparedSide> invalid, int all, SideNames names) {
        return invalid.size() > MOST_NAMED ? invalid.size() + " of " + all + " cells"
                : invalid.stream().map(names::of).collect(Collectors.joining(", "));
    }

    /// What the first broken condition of a run advises.
    private static Optional<String> remedy(List<ComparedSide> invalid) {
        return invalid.stream().flatMap(side -> side.runs().stream())
                .flatMap(run -> Optional.ofNullable(run.manifest().outcome().verdict()).stream())
                .flatMap(verdict -> verdict.conditions().stream())
                .filter(condition -> condition.state() == State.BROKEN).map(Condition::remedy)
                .filter(text -> !text.isEmpty()).findFirst();
    }
}
