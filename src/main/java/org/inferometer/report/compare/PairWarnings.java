package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.report.compare.ResultComparison.Pair;

/// The warnings of all pairs, each once, with short names of the sides: cautions, and why pairs are not comparable.
public final class PairWarnings {
    private static final int MOST_NAMED = 4;
    private static final Pattern DISTANCE = Pattern.compile("(?<=^Two experiments, )\\d[^:]+(?= apart:)");
    private static final Pattern TIME = Pattern.compile("(\\d+) (d|h|min|s)");
    private static final String ANY = "#";
    private final List<Pair> pairs;
    private final SideNames names;
    private final SideNames candidates;

    private PairWarnings(List<Pair> pairs) {
        this.pairs = pairs;
        this.names = SideNames.ofPairs(pairs);
        boolean oneBase = pairs.stream().map(Pair::base).distinct().count() == 1;
        this.candidates = oneBase ? names : new SideNames(pairs.stream().map(Pair::candidateSide).toList());
    }

    /// Why figures of the pairs may mislead: INVALID runs first, once for all pairs. Another sentence that does not hold for all pairs names them.
    public static List<String> cautions(List<Pair> pairs) {
        PairWarnings warnings = new PairWarnings(pairs);
        List<String> sentences = new ArrayList<>(InvalidSides.sentences(pairs, warnings.names));
        sentences.addAll(warnings.sentences(pairs.stream().map(PairWarnings::otherCautions).toList()));
        return List.copyOf(sentences);
    }

    private static List<String> otherCautions(Pair pair) {
        List<String> invalid = InvalidSides.ofPair(pair.baseSide(), pair.candidateSide());
        return pair.cautions().stream().filter(caution -> !invalid.contains(caution)).toList();
    }

    /// Why pairs are not comparable. A sentence that does not hold for all pairs names them.
    public static List<String> differences(List<Pair> pairs) {
        return new PairWarnings(pairs).sentences(pairs.stream().map(Pair::differences).toList());
    }

    private List<String> sentences(List<List<String>> ofPairs) {
        Map<String, List<Integer>> holding = new LinkedHashMap<>();
        Map<String, List<String>> distances = new LinkedHashMap<>();
        for (int pair = 0; pair < ofPairs.size(); pair++) {
            for (String warning : ofPairs.get(pair)) {
                String alike = DISTANCE.matcher(warning).replaceFirst(ANY);
                holding.computeIfAbsent(alike, each -> new ArrayList<>()).add(pair);
                Matcher distance = DISTANCE.matcher(warning);
                if (distance.find()) {
                    distances.computeIfAbsent(alike, each -> new ArrayList<>()).add(distance.group());
                }
            }
        }
        return holding.entrySet().stream().map(each -> {
            List<String> apart = distances.get(each.getKey());
            return sentence(apart == null ? each.getKey() : each.getKey().replaceFirst(ANY, range(apart)),
                    each.getValue());
        }).toList();
    }

    /// "3 min", "3 min to 2 d 3 h".
    private static String range(List<String> distances) {
        List<String> ascending = distances.stream().distinct()
                .sorted((one, other) -> Long.compare(seconds(one), seconds(other))).toList();
        return ascending.getFirst() + (ascending.size() > 1 ? " to " + ascending.getLast() : "");
    }

    private static long seconds(String distance) {
        return TIME.matcher(distance).results()
                .mapToLong(time -> Long.parseLong(time.group(1)) * switch (time.group(2)) {
                    case "d" -> 86_400;
                    case "h" -> 3_600;
                    case "min" -> 60;
                    default -> 1;
                }).sum();
    }

    /// With the names of its pairs, unless it holds for all of them or names a side.
    private String sentence(String warning, List<Integer> holding) {
        boolean named = holding.stream().map(pairs::get).flatMap(pair -> Stream.of(pair.base(), pair.candidate()))
                .anyMatch(warning::contains);
        if (holding.size() == pairs.size() || named) {
            return names.shorten(warning);
        }
        String which = holding.stream().limit(MOST_NAMED).map(pair -> candidates.of(pairs.get(pair).candidateSide()))
                .collect(Collectors.joining(", "));
        return names.shorten(warning) + " (" + which
                + (holding.size() > MOST_NAMED ? " and " + (holding.size() - MOST_NAMED) + " more pairs" : "") + ")";
    }
}
