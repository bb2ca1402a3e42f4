package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.finding.PairCaution.TwoExperiments;
import org.inferometer.finding.SideDifference;
import org.inferometer.report.compare.ResultComparison.Pair;
import org.inferometer.wording.ComparisonWording;

/// The warnings of all pairs, each once, with short names of the sides: cautions, and why pairs are not comparable.
public final class PairWarnings {
    private static final int MOST_NAMED = 4;
    private final List<Pair> pairs;
    private final SideNames names;
    private final SideNames candidates;

    private PairWarnings(List<Pair> pairs) {
        this.pairs = pairs;
        this.names = SideNames.ofPairs(pairs);
        boolean oneBase = pairs.stream().map(Pair::base).distinct().count() == 1;
        this.candidates = oneBase ? names : new SideNames(pairs.stream().map(Pair::candidateSide).toList());
    }

    /// Why figures of the pairs may mislead: INVALID runs first, once for all pairs. Another caution that does not hold for all pairs names them.
    public static List<String> cautions(List<Pair> pairs) {
        PairWarnings warnings = new PairWarnings(pairs);
        List<String> sentences = new ArrayList<>(InvalidSides.sentences(pairs, warnings.names));
        warnings.twoExperiments().forEach((caution, holding) -> sentences
                .add(warnings.withPairs(ComparisonWording.sentence(caution, warnings.names::named), holding)));
        return List.copyOf(sentences);
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
}
