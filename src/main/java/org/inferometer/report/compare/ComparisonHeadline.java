package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.comparison.Comparison;
import org.inferometer.measurement.comparison.Comparison.Outcome;
import org.inferometer.measurement.comparison.Comparisons;
import org.inferometer.record.Metric;
import org.inferometer.report.DifferenceText;
import org.inferometer.report.GainText;
import org.inferometer.report.RatioText;
import org.inferometer.units.LetterCase;
import org.inferometer.wording.HeadedText;

/// The answer of a comparison in one or two sentences, by fixed rules over the outcomes:
///
/// 1. Three topics: speed, first token, memory. Each has at most one clause for a better figure and one for a worse one; without either, it
///    has "no detectable difference". Speed names its largest difference, the other topics the first of their metrics that differs.
///    All metrics are corrected together after Holm, so that equal systems get a difference in at most 5 % of headlines.
/// 2. At most three clauses. Topics without a difference leave first, then the smallest improvements; a worse figure never leaves for a
///    better one.
/// 3. Sides of one run are not tested.
final class ComparisonHeadline {
    private static final int MOST_CLAUSES = 3;
    private static final int LONGEST_NAME = 40;
    private static final HeadedText NOT_TESTED = new HeadedText("Not tested", ": each side needs 2 runs or more.");
    private static final HeadedText TOO_FEW_REQUESTS =
            new HeadedText("Not tested", ": too few requests for every percentile.");
    private static final List<Metric> RATES =
            List.of(Metrics.OUTPUT_THROUGHPUT, Metrics.TOTAL_THROUGHPUT, Metrics.REQUEST_THROUGHPUT, Metrics.GOODPUT);
    private static final List<Metric> DECODING = List.of(Metrics.ITL.p50(), Metrics.ITL.p95(), Metrics.TPOT.p50(),
            Metrics.TPOT.mean(), Metrics.INTER_CHUNK.p50(), Metrics.INTER_CHUNK.p95(), Metrics.DECODE_LATENCY.mean());
    private static final List<Metric> COMPLETION =
            List.of(Metrics.E2E.p50(), Metrics.E2E.p95(), Metrics.SERVICE_E2E.p50(), Metrics.SERVICE_E2E.p95());
    private static final List<Metric> FIRST_TOKEN =
            List.of(Metrics.TTFT.p50(), Metrics.TTFT.p95(), Metrics.SERVICE_TTFT.p50(), Metrics.SERVICE_TTFT.p95(),
                    Metrics.SERVICE_TTFT.mean(), Metrics.PREFILL_LATENCY.mean());
    private static final List<Metric> MEMORY =
            List.of(Metrics.MODEL_MEMORY_PEAK, Metrics.MEMORY_PEAK_TOTAL, Metrics.MEMORY_MEAN_TOTAL);
    private static final List<Topic> TOPICS = List.of(new Topic("speed", List.of(RATES, DECODING, COMPLETION)),
            new Topic("first token", List.of(FIRST_TOKEN)), new Topic("memory", List.of(MEMORY)));

    /// What readers ask for.
    ///
    /// @param metrics groups; of each group the first metric that differs counts
    private record Topic(String name, List<List<Metric>> metrics) {}

    /// @param size of the difference, as a logarithm; 0 without one
    private record Clause(Outcome outcome, double size, String text) {}

    private ComparisonHeadline() {}

    /// Of one pair that is ranked.
    ///
    /// @param comparisons by metric
    static HeadedText of(String candidate, List<Comparison> comparisons) {
        if (comparisons.isEmpty()) {
            return new HeadedText("Nothing to compare", ": no metric is on both sides.");
        }
        List<Comparison> tested = judged(comparisons);
        if (tested.isEmpty()) {
            return comparisons.stream().anyMatch(each -> each.testResult().isPresent()) ? TOO_FEW_REQUESTS : NOT_TESTED;
        }
        List<Clause> clauses = new ArrayList<>();
        TOPICS.forEach(topic -> clauses.addAll(clauses(topic, tested)));
        if (clauses.stream().noneMatch(clause -> clause.outcome() != Outcome.NO_DETECTABLE_DIFFERENCE)) {
            tested.stream().filter(ComparisonHeadline::differs)
                    .max(Comparator.comparingDouble(ComparisonHeadline::size))
                    .ifPresentOrElse(other -> clauses.addFirst(clause(other)), clauses::clear);
        }
        return clauses.isEmpty() ? alike(tested) : sentences(candidate, chosen(clauses));
    }

    /// The tested metrics, corrected together: two equal systems get a headline with a difference in at most one of 20 comparisons.
    private static List<Comparison> judged(List<Comparison> comparisons) {
        return Comparisons.corrected(comparisons.stream().filter(each -> each.testResult().isPresent())
                .filter(each -> each.base().enough() && each.candidate().enough()).toList());
    }

    private static HeadedText alike(List<Comparison> tested) {
        Comparison first = tested.getFirst();
        return new HeadedText(
                "No detectable difference in " + tested.size()
                        + (tested.size() == 1 ? " metric." : " metrics judged together."),
                " " + first.metric().label() + ": " + new GainText(first).detectable().orElse("equal") + ".");
    }

    private static boolean differs(Comparison comparison) {
        return comparison.outcome() == Outcome.FASTER || comparison.outcome() == Outcome.SLOWER;
    }

    /// How far the ratio is from 1; infinite where there is none.
    private static double size(Comparison comparison) {
        return RatioText.of(comparison).value().map(ratio -> Math.abs(Math.log(ratio)))
                .orElse(Double.POSITIVE_INFINITY);
    }

    private static List<Clause> clauses(Topic topic, List<Comparison> tested) {
        List<Clause> clauses = new ArrayList<>();
        for (Outcome outcome : List.of(Outcome.FASTER, Outcome.SLOWER)) {
            topic.metrics().stream().flatMap(group -> first(group, tested, outcome).stream())
                    .max(Comparator.comparingDouble(ComparisonHeadline::size)).map(ComparisonHeadline::clause)
                    .ifPresent(clauses::add);
        }
        if (clauses.isEmpty()) {
            topic.metrics().stream().flatMap(group -> first(group, tested, Outcome.NO_DETECTABLE_DIFFERENCE).stream())
                    .findFirst().map(each -> new Clause(Outcome.NO_DETECTABLE_DIFFERENCE, 0, topic.name()))
                    .ifPresent(clauses::add);
        }
        return clauses;
    }

    private static Optional<Comparison> first(List<Metric> group, List<Comparison> tested, Outcome outcome) {
        return group.stream().flatMap(metric -> find(metric, tested).stream()).filter(each -> each.outcome() == outcome)
                .findFirst();
    }

    private static Optional<Comparison> find(Metric metric, List<Comparison> comparisons) {
        return comparisons.stream().filter(each -> each.metric().id().equals(metric.id())).findFirst();
    }

    private static List<Clause> chosen(List<Clause> clauses) {
        List<Clause> chosen = new ArrayList<>(clauses);
        Comparator<Clause> leavesFirst = Comparator.<Clause>comparingInt(clause -> switch (clause.outcome()) {
            case NO_DETECTABLE_DIFFERENCE, TOO_FEW_RUNS, SET_BY_LOAD, NOT_RANKED -> 0;
            case FASTER -> 1;
            case SLOWER -> 2;
        }).thenComparingDouble(Clause::size);
        while (chosen.size() > MOST_CLAUSES) {
            chosen.remove(chosen.reversed().stream().min(leavesFirst).orElseThrow());
        }
        return chosen;
    }

    /// "INT4 decodes 1.42× faster and needs 0.55× the memory for weights and KV cache. First token: no detectable difference."
    private static HeadedText sentences(String candidate, List<Clause> clauses) {
        List<String> differing = clauses.stream().filter(clause -> clause.outcome() != Outcome.NO_DETECTABLE_DIFFERENCE)
                .map(Clause::text).toList();
        String alike = clauses.stream().filter(clause -> clause.outcome() == Outcome.NO_DETECTABLE_DIFFERENCE)
                .map(Clause::text).collect(Collectors.joining(", "));
        int last = differing.size() - 1;
        return new HeadedText(
                candidate + " "
                        + (last == 0 ? differing.getFirst()
                                : String.join(", ", differing.subList(0, last)) + " and " + differing.get(last))
                        + ".",
                alike.isEmpty() ? "" : " " + LetterCase.capitalized(alike) + ": no detectable difference.");
    }

    private static Clause clause(Comparison comparison) {
        return new Clause(comparison.outcome(), size(comparison), text(comparison));
    }

    private static String text(Comparison comparison) {
        Metric metric = comparison.metric();
        if (RatioText.of(comparison).value().isEmpty()) {
            return "is " + (comparison.outcome() == Outcome.FASTER ? "better" : "worse") + " in "
                    + DifferenceText.lowerFirst(metric.label()) + " (" + RatioText.of(comparison).text() + ")";
        }
        RatioText share = RatioText.of(comparison);
        if (contains(RATES, metric)) {
            return "gives " + share.with("the " + DifferenceText.lowerFirst(metric.label()));
        }
        if (contains(MEMORY, metric)) {
            return "needs " + share.with(metric.id().equals(Metrics.MODEL_MEMORY_PEAK.id())
                    ? "the memory for weights and KV cache" : "the memory in all");
        }
        if (contains(DECODING, metric)) {
            return "decodes " + speed(comparison, metric.id().equals(Metrics.ITL.p50().id()));
        }
        if (contains(FIRST_TOKEN, metric)) {
            return "gives the first token " + speed(comparison, metric.id().equals(Metrics.TTFT.p50().id()));
        }
        return contains(COMPLETION, metric) ? "completes requests " + speed(comparison, false)
                : "has " + share.with("the " + DifferenceText.lowerFirst(metric.label()));
    }

    private static boolean contains(List<Metric> metrics, Metric metric) {
        return metrics.stream().anyMatch(each -> each.id().equals(metric.id()));
    }

    /// "1.42× faster [1.38, 1.46]", with the metric unless it is the usual one.
    private static String speed(Comparison comparison, boolean usual) {
        boolean faster = comparison.outcome() == Outcome.FASTER;
        return new RatioText(comparison, faster)
                .with((faster ? "faster" : "slower") + (usual ? "" : " (" + comparison.metric().label() + ")"));
    }

    /// The subject of the sentence: what distinguishes the candidate, if that is short.
    static String subject(ComparedSide base, ComparedSide candidate) {
        SideNames names = new SideNames(List.of(base, candidate));
        String name = names.of(candidate);
        return names.bySettings() && !name.isEmpty() && name.length() <= LONGEST_NAME ? name : "The candidate";
    }

    /// Of several pairs: in how many a topic is better and in how many worse; some may be in both.
    ///
    /// @param pairs the comparisons of each ranked pair, at least one
    /// @param unranked number of pairs that are not ranked
    static HeadedText of(List<List<Comparison>> pairs, int unranked) {
        int all = pairs.size() + unranked;
        HeadedText counts = HeadedText.NONE;
        List<List<Comparison>> judged = pairs.stream().map(ComparisonHeadline::judged).toList();
        for (Topic topic : TOPICS) {
            String name = LetterCase.capitalized(topic.name());
            String text = counts(topic, judged).map(count -> ": " + count + ".").orElse("");
            counts = text.isEmpty() ? counts : counts.head().isEmpty() ? new HeadedText(name, text)
                    : counts.with(" " + name + text);
        }
        String rest = unranked == 0 ? "" : " " + unranked + " of " + all + " pairs not ranked.";
        return (counts.head().isEmpty() ? NOT_TESTED : counts).with(rest);
    }

    /// "better in 3 of 4 pairs, worse in 1"; empty where nothing was tested.
    private static Optional<String> counts(Topic topic, List<List<Comparison>> pairs) {
        List<List<Outcome>> tested = pairs.stream()
                .map(pair -> topic.metrics().stream().flatMap(List::stream)
                        .flatMap(metric -> find(metric, pair).stream()).map(Comparison::outcome)
                        .filter(outcome -> outcome != Outcome.TOO_FEW_RUNS && outcome != Outcome.SET_BY_LOAD).toList())
                .filter(pair -> !pair.isEmpty()).toList();
        long better = tested.stream().filter(pair -> pair.contains(Outcome.FASTER)).count();
        long worse = tested.stream().filter(pair -> pair.contains(Outcome.SLOWER)).count();
        String of = " of " + tested.size() + (tested.size() == 1 ? " pair" : " pairs");
        return tested.isEmpty() ? Optional.empty()
                : Optional.of(
                        better == 0 && worse == 0 ? "no detectable difference" : better == 0 ? "worse in " + worse + of
                                : "better in " + better + of + (worse == 0 ? "" : ", worse in " + worse));
    }
}
