package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.inferometer.finding.PairCaution;
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

    /// A warning with the pairs that it holds for.
    private record Holding<T>(T warning, List<Pair> pairs) {}

    /// Why figures of the pairs may mislead: INVALID runs first, once for all pairs. Another caution that does not hold for all pairs names them.
    public static List<String> cautions(List<Pair> pairs) {
        PairWarnings warnings = new PairWarnings(pairs);
        List<String> sentences = new ArrayList<>(InvalidSides.sentences(pairs, warnings.names));
        warnings.otherCautions().forEach(each -> sentences
                .add(warnings.withPairs(ComparisonWording.sentence(each.warning(), warnings.names::named), each)));
        return List.copyOf(sentences);
    }

    private List<Holding<PairCaution>> otherCautions() {
        List<Holding<PairCaution>> all = new ArrayList<>();
        for (Pair pair : pairs) {
            List<PairCaution> invalid = InvalidSides.ofPair(pair.baseSide(), pair.candidateSide());
            pair.cautions().stream().filter(caution -> !invalid.contains(caution))
                    .forEach(caution -> add(all, caution, pair));
        }
        return all;
    }

    /// Together with a caution of earlier pairs where one sentence can say both.
    private static void add(List<Holding<PairCaution>> all, PairCaution caution, Pair pair) {
        for (int i = 0; i < all.size(); i++) {
            Optional<PairCaution> merged = all.get(i).warning().with(caution);
            if (merged.isPresent()) {
                List<Pair> holding = new ArrayList<>(all.get(i).pairs());
                holding.add(pair);
                all.set(i, new Holding<>(merged.get(), holding));
                return;
            }
        }
        all.add(new Holding<>(caution, List.of(pair)));
    }

    /// Why pairs are not comparable. A difference that does not hold for all pairs names them.
    public static List<String> differences(List<Pair> pairs) {
        PairWarnings warnings = new PairWarnings(pairs);
        List<SideDifference> differences =
                pairs.stream().flatMap(pair -> pair.differences().stream()).distinct().toList();
        return differences.stream()
                .map(difference -> warnings.withPairs(ComparisonWording.sentence(difference),
                        new Holding<>(difference,
                                pairs.stream().filter(pair -> pair.differences().contains(difference)).toList())))
                .toList();
    }

    /// A sentence with the names of its pairs, unless it holds for all of them.
    private String withPairs(String sentence, Holding<?> holding) {
        int count = holding.pairs().size();
        if (count == pairs.size()) {
            return sentence;
        }
        String which = holding.pairs().stream().limit(MOST_NAMED).map(pair -> candidates.of(pair.candidateSide()))
                .collect(Collectors.joining(", "));
        return sentence + " (" + which + (count > MOST_NAMED ? " and " + (count - MOST_NAMED) + " more pairs" : "")
                + ")";
    }
}
