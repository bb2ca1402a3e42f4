package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.finding.PairCaution;
import org.inferometer.finding.PairCaution.TwoExperiments;
import org.inferometer.finding.SideDifference;
import org.inferometer.record.Verdict.Condition;
import org.inferometer.record.Verdict.State;
import org.inferometer.report.DifferenceText;
import org.inferometer.report.compare.ResultComparison.Pair;
import org.inferometer.wording.ComparisonWording;
import org.inferometer.wording.Voice;

/// The warnings of all pairs, each once, with short names of the sides: cautions, and why pairs are not comparable.
public final class PairWarnings {
    private static final int MOST_INVALID_NAMED = 3;
    private static final int MOST_NAMED = 4;
    private final List<Pair> pairs;
    private final SideNames names;
    private final SideNames candidates;

    private PairWarnings(List<Pair> pairs) {
        this.pairs = pairs;
        this.names = SideNames.ofPairs(pairs);
        this.candidates = ResultComparison.haveOneBase(pairs) ? names
                : new SideNames(pairs.stream().map(Pair::candidateSide).toList());
    }

    /// That runs and results are INVALID, once for all pairs.
    public static List<String> invalid(List<Pair> pairs) {
        return new PairWarnings(pairs).invalid();
    }

    /// That pairs were measured in two experiments. A caution that does not hold for all pairs names them.
    public static List<String> twoExperiments(List<Pair> pairs, Voice voice) {
        PairWarnings warnings = new PairWarnings(pairs);
        List<String> sentences = new ArrayList<>();
        warnings.twoExperiments().forEach((caution, holding) -> sentences
                .add(warnings.withPairs(ComparisonWording.sentence(caution, warnings.names::named, voice), holding)));
        return sentences;
    }

    /// Of pairs in two experiments, with these pairs; one caution where one sentence can say several.
    private Map<TwoExperiments, List<Pair>> twoExperiments() {
        List<TwoExperiments> merged = new ArrayList<>();
        pairs.stream().flatMap(PairWarnings::twoExperiments).forEach(caution -> {
            for (int i = 0; i < merged.size(); i++) {
                Optional<TwoExperiments> both = merged.get(i).with(caution);
                if (both.isPresent()) {
                    merged.set(i, both.get());
                    return;
                }
            }
            merged.add(caution);
        });
        Map<TwoExperiments, List<Pair>> all = new LinkedHashMap<>();
        merged.forEach(caution -> all.put(caution, pairs.stream()
                .filter(pair -> twoExperiments(pair).anyMatch(each -> caution.with(each).isPresent())).toList()));
        return all;
    }

    private static Stream<TwoExperiments> twoExperiments(Pair pair) {
        return pair.cautions().stream().filter(TwoExperiments.class::isInstance).map(TwoExperiments.class::cast);
    }

    /// Why pairs are not comparable. A difference that does not hold for all pairs names them.
    public static List<String> differences(List<Pair> pairs) {
        PairWarnings warnings = new PairWarnings(pairs);
        List<SideDifference> differences =
                pairs.stream().flatMap(pair -> pair.differences().stream()).distinct().toList();
        return differences.stream().map(difference -> warnings.withPairs(ComparisonWording.sentence(difference),
                pairs.stream().filter(pair -> pair.differences().contains(difference)).toList())).toList();
    }

    /// A sentence with the names of its pairs, unless it holds for all of them.
    private String withPairs(String sentence, List<Pair> holding) {
        int count = holding.size();
        if (count == pairs.size()) {
            return sentence;
        }
        String which = holding.stream().limit(MOST_NAMED).map(pair -> candidates.of(pair.candidateSide()))
                .collect(Collectors.joining(", "));
        return sentence + " (" + which + (count > MOST_NAMED ? " and " + (count - MOST_NAMED) + " more pairs" : "")
                + ")";
    }

    /// The cautions of one pair about INVALID runs and results.
    static List<PairCaution> invalid(ComparedSide base, ComparedSide candidate) {
        return Stream.of(base, candidate)
                .flatMap(side -> side.invalid() ? Stream.of(new PairCaution.InvalidRun(side.name()))
                        : side.origin().invalid().isEmpty() ? Stream.<PairCaution>empty()
                        : Stream.of(new PairCaution.InvalidResult(side.origin().experiment(), side.origin().invalid(),
                                side.name())))
                .distinct().toList();
    }

    /// Sentences on all pairs: which cells are shown and not ranked, what gives them a verdict, and which results are INVALID as a whole.
    private List<String> invalid() {
        List<ComparedSide> sides = ResultComparison.sides(pairs);
        List<ComparedSide> invalid = sides.stream().filter(ComparedSide::invalid).toList();
        List<String> sentences = new ArrayList<>();
        if (!invalid.isEmpty()) {
            sentences.add("Shown, not ranked, with an INVALID run: " + named(invalid, sides.size())
                    + ". For a verdict: " + remedy(invalid).map(DifferenceText::lowerFirst).orElse("measure again."));
        }
        Map<String, String> whole = new LinkedHashMap<>();
        sides.stream().filter(side -> !side.invalid() && !side.origin().invalid().isEmpty())
                .forEach(side -> whole.putIfAbsent(side.origin().experiment(), side.origin().invalid()));
        whole.forEach(
                (experiment, broken) -> sentences.add(ComparisonWording.invalidAsAWhole(names.named(experiment), broken)
                        + (invalid.isEmpty() ? " The compared runs are not INVALID." : "")));
        return List.copyOf(sentences);
    }

    private String named(List<ComparedSide> invalid, int all) {
        return invalid.size() > MOST_INVALID_NAMED ? invalid.size() + " of " + all + " cells"
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
