package org.inferometer.report.compare;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.inferometer.finding.PairCaution;
import org.inferometer.finding.PairContrast;
import org.inferometer.finding.SideDifference;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.comparison.Comparison;
import org.inferometer.measurement.comparison.Comparisons;
import org.inferometer.record.Metric;
import org.inferometer.wording.AdvisedText;
import org.inferometer.wording.ComparisonWording;
import org.inferometer.wording.HeadedText;
import org.inferometer.wording.Voice;
import org.jspecify.annotations.Nullable;

/// Results compared with a base: differences, how certain they are, and whether the two are comparable.
///
/// @param headline the answer in one or two sentences; empty without pairs
/// @param pairs each candidate with its base
/// @param unpaired a sentence about all cells without a matching cell; empty without any
public record ResultComparison(HeadedText headline, List<Pair> pairs, List<String> unpaired) {
    /// The metrics of a comparison, in the order in which tables show them.
    private static final List<Metric> METRICS =
            List.of(Metrics.REQUEST_THROUGHPUT, Metrics.OUTPUT_THROUGHPUT, Metrics.GOODPUT, Metrics.TTFT.p50(),
                    Metrics.TTFT.p95(), Metrics.TPOT.p50(), Metrics.ITL.p50(), Metrics.ITL.p95(),
                    Metrics.INTER_CHUNK.p50(), Metrics.INTER_CHUNK.p95(), Metrics.E2E.mean(), Metrics.E2E.p50(),
                    Metrics.E2E.p95(), Metrics.MODEL_MEMORY_PEAK, Metrics.MEMORY_PEAK_TOTAL, Metrics.ENERGY_PER_TOKEN);
    /// Metrics that replace one that a pair has not, such as TTFT of imported runs without intended send times.
    private static final List<Substitute> SUBSTITUTES =
            List.of(new Substitute(Metrics.TOTAL_THROUGHPUT, Metrics.OUTPUT_THROUGHPUT),
                    new Substitute(Metrics.SERVICE_TTFT.mean(), Metrics.TTFT.p50()),
                    new Substitute(Metrics.SERVICE_TTFT.p50(), Metrics.TTFT.p50()),
                    new Substitute(Metrics.SERVICE_TTFT.p95(), Metrics.TTFT.p95()),
                    new Substitute(Metrics.TPOT.mean(), Metrics.TPOT.p50()),
                    new Substitute(Metrics.SERVICE_E2E.mean(), Metrics.E2E.mean()),
                    new Substitute(Metrics.SERVICE_E2E.p50(), Metrics.E2E.p50()),
                    new Substitute(Metrics.SERVICE_E2E.p95(), Metrics.E2E.p95()),
                    new Substitute(Metrics.PREFILL_LATENCY.mean(), Metrics.TTFT.p50()),
                    new Substitute(Metrics.DECODE_LATENCY.mean(), Metrics.E2E.mean()),
                    new Substitute(Metrics.MEMORY_MEAN_TOTAL, Metrics.MEMORY_PEAK_TOTAL));

    private record Substitute(Metric metric, Metric missing) {}

    /// One candidate against its base.
    ///
    /// @param headline the answer in one or two sentences
    /// @param contrast what differs between the sides and what does not
    /// @param ranked whether the outcomes are reported; never with an INVALID run
    /// @param cautions INVALID runs, and two experiments with their distance in time
    /// @param notes what may differ and is known, or not: settings, servers; and how many runs a difference needs
    /// @param figures raw values in the units of their metrics
    public record Pair(String base, String candidate, HeadedText headline, @JsonIgnore PairContrast contrast,
            boolean ranked, @JsonIgnore List<PairCaution> cautions, List<AdvisedText> notes,
            List<ComparedFigure> figures, @JsonIgnore ComparedSide baseSide, @JsonIgnore ComparedSide candidateSide) {
        /// The contrast as texts.
        record ContrastTexts(List<String> differs, List<String> unknown, List<String> same) {}

        @JsonProperty("contrast")
        ContrastTexts contrastTexts() {
            return new ContrastTexts(ComparisonWording.differing(contrast), ComparisonWording.unknown(contrast),
                    ComparisonWording.same(contrast));
        }

        /// Why the two are not comparable; empty where they are.
        public List<SideDifference> differences() {
            return contrast.differences();
        }

        /// The differences as sentences.
        @JsonProperty("differences")
        public List<String> differenceTexts() {
            return differences().stream().map(ComparisonWording::sentence).toList();
        }

        /// The cautions as sentences with full names.
        @JsonProperty("cautions")
        public List<String> cautionTexts() {
            return cautions.stream()
                    .map(caution -> ComparisonWording.sentence(caution, name -> name, Voice.COMMAND_LINE)).toList();
        }

        /// Whether it is ranked and a metric was tested.
        @JsonIgnore
        public boolean isTested() {
            return ranked && figures.stream().anyMatch(figure -> figure.outcome() != Comparison.Outcome.TOO_FEW_RUNS);
        }

        /// Whether it is not ranked, and would be if that is asked for.
        @JsonIgnore
        public boolean mayBeRanked() {
            return !ranked && !differences().isEmpty() && !invalid();
        }

        /// Whether a run of a side is INVALID.
        @JsonIgnore
        public boolean invalid() {
            return baseSide.invalid() || candidateSide.invalid();
        }

        /// Its figures with an outcome.
        List<ComparedFigure> with(Comparison.Outcome outcome) {
            return ranked ? figures.stream().filter(figure -> figure.outcome() == outcome).toList() : List.of();
        }

        /// How the runs were paired, each way once, in sentences; empty without a test.
        public List<String> pairings() {
            return Comparison.Pairing.texts(figures.stream().map(ComparedFigure::comparison).toList());
        }
    }

    /// One figure of a pair.
    ///
    /// @param difference of the means over all runs, in the metric's unit
    /// @param improvement over the compared runs, as a share of the base; plus is better
    /// @param improvementLow lower end of its 95 % interval; absent with fewer than two runs on a side
    /// @param smallestDetectable the true difference that 4 of 5 experiments find, in the metric's unit
    /// @param pairs pairs of runs with the same seed; 0 if the runs were not paired
    /// @param leftOut runs without a partner, which did not enter
    /// @param pValue Holm-corrected for a family of this size
    /// @param outcomeText the outcome as text; "not ranked" if the pair is not comparable
    public record ComparedFigure(String metric, String label, double base, @Nullable Double baseHalfWidth,
            double candidate, @Nullable Double candidateHalfWidth, double difference, @Nullable Double improvement,
            @Nullable Double improvementLow, @Nullable Double improvementHigh, @Nullable Double smallestDetectable,
            @Nullable Double pValue, int pairs, int leftOut, int family, Comparison.Outcome outcome,
            @JsonProperty("words") String outcomeText, @JsonIgnore Comparison comparison) {}

    /// A base of one cell is compared with every cell of the candidates, a base of several with the cells of equal label.
    ///
    /// @param base cells or a run
    /// @param candidates of each candidate its cells, or a run
    /// @param anyway whether to rank what is not comparable
    /// @param variation between experiments, which the intervals then contain
    public static ResultComparison of(List<ComparedSide> base, List<List<ComparedSide>> candidates, boolean anyway,
            KnownVariation variation) {
        List<ComparedSide> bases = new ArrayList<>();
        List<ComparedSide> against = new ArrayList<>();
        List<String> unpaired = new ArrayList<>();
        for (ComparedSide candidate : candidates.stream().flatMap(List::stream).toList()) {
            Optional<ComparedSide> match = candidate.matchIn(base);
            if (match.isEmpty()) {
                unpaired.add(candidate.label());
            } else if (!match.get().name().equals(candidate.name())) {
                bases.add(match.get());
                against.add(candidate);
            }
        }
        List<Map<String, Comparison>> comparisons = new ArrayList<>();
        against.forEach(side -> comparisons.add(new LinkedHashMap<>()));
        METRICS.forEach(metric -> compare(metric, bases, against, variation, comparisons));
        for (Substitute each : SUBSTITUTES) {
            List<Integer> without = IntStream.range(0, against.size())
                    .filter(i -> !comparisons.get(i).containsKey(each.missing().id())).boxed().toList();
            compare(each.metric(), without.stream().map(bases::get).toList(),
                    without.stream().map(against::get).toList(), variation,
                    without.stream().map(comparisons::get).toList());
        }
        List<Pair> pairs = IntStream.range(0, against.size())
                .mapToObj(i -> pair(bases.get(i), against.get(i), comparisons.get(i), anyway)).toList();
        List<String> named = unpaired.stream().distinct().toList();
        return new ResultComparison(headline(pairs, anyway), pairs, named.isEmpty() ? List.of() : List.of(
                "No matching cell in the base: " + String.join(", ", named) + ". Compare with one cell of the base."));
    }

    /// The sides of pairs, each once, each base before its candidates.
    public static List<ComparedSide> sides(List<Pair> pairs) {
        Map<String, ComparedSide> sides = new LinkedHashMap<>();
        pairs.forEach(pair -> Stream.of(pair.baseSide(), pair.candidateSide())
                .forEach(side -> sides.putIfAbsent(side.name(), side)));
        return List.copyOf(sides.values());
    }

    /// Whether all pairs have the same base.
    public static boolean haveOneBase(List<Pair> pairs) {
        return pairs.stream().map(Pair::base).distinct().count() == 1;
    }

    private static HeadedText headline(List<Pair> pairs, boolean anyway) {
        if (pairs.size() < 2) {
            return pairs.isEmpty() ? HeadedText.NONE : pairs.getFirst().headline();
        }
        List<List<Comparison>> ranked = pairs.stream().filter(Pair::ranked)
                .map(pair -> pair.figures().stream().map(ComparedFigure::comparison).toList()).toList();
        return ranked.isEmpty()
                ? ComparisonWording.notRanked(
                        anyway ? List.of() : pairs.stream().flatMap(pair -> pair.differences().stream()).toList(),
                        pairs.stream().anyMatch(Pair::invalid))
                : ComparisonHeadline.of(ranked, pairs.size() - ranked.size()).with(QualityText.unknown(pairs));
    }

    /// All pairs that have the figure are corrected together.
    private static void compare(Metric metric, List<ComparedSide> bases, List<ComparedSide> candidates,
            KnownVariation variation, List<Map<String, Comparison>> into) {
        int[] pairs = IntStream.range(0, candidates.size())
                .filter(i -> bases.get(i).figure(metric).isPresent() && candidates.get(i).figure(metric).isPresent())
                .toArray();
        List<Comparison> compared = Comparisons.together(
                Arrays.stream(pairs).mapToObj(i -> bases.get(i).figure(metric).orElseThrow()).toList(),
                Arrays.stream(pairs).mapToObj(i -> candidates.get(i).figure(metric).orElseThrow()).toList(),
                Arrays.stream(pairs).mapToObj(i -> variation.between(bases.get(i), candidates.get(i))).toList());
        for (int i = 0; i < pairs.length; i++) {
            into.get(pairs[i]).put(metric.id(), compared.get(i));
        }
    }

    private static Pair pair(ComparedSide base, ComparedSide candidate, Map<String, Comparison> comparisons,
            boolean anyway) {
        PairContrast contrast = SideDifferences.contrast(base, candidate);
        List<SideDifference> reasons = anyway ? List.of() : contrast.differences();
        boolean invalid = base.invalid() || candidate.invalid();
        boolean ranked = reasons.isEmpty() && !invalid;
        List<PairCaution> cautions = new ArrayList<>(PairWarnings.invalid(base, candidate));
        if (!comparisons.isEmpty()) {
            KnownVariation.caution(base, candidate, List.copyOf(comparisons.values())).ifPresent(cautions::add);
        }
        HeadedText answer = ranked || comparisons.isEmpty()
                ? ComparisonHeadline.of(ComparisonHeadline.subject(base, candidate), List.copyOf(comparisons.values()))
                : ComparisonWording.notRanked(reasons, invalid);
        boolean tested = ranked && comparisons.values().stream().anyMatch(each -> each.testResult().isPresent());
        HeadedText headline =
                answer.with(tested ? QualityText.clause(base, candidate).map(text -> " " + text).orElse("") : "");
        return new Pair(
                base.name(), candidate.name(), headline, contrast, ranked, List.copyOf(cautions), Stream
                        .concat(QualityText.note(base, candidate).stream(), Stream.of(
                                Stream.of(CellSettings.changes(base.cell(), candidate.cell()))
                                        .filter(changes -> !changes.isEmpty()).map(ComparisonWording::settings),
                                SideDifferences.kvCache(base, candidate).stream(),
                                KnownVariation.servers(base, candidate).stream(), windows(base, candidate).stream(),
                                SideDifferences.environment(base.machine(), candidate.machine()).stream(),
                                neededRuns(comparisons).stream()).flatMap(notes -> notes).map(AdvisedText::plain))
                        .toList(),
                comparisons.values().stream().map(comparison -> figure(comparison, ranked)).toList(), base, candidate);
    }

    /// The window shares cores with runs on the host; runs of older records do not say.
    private static Optional<String> windows(ComparedSide base, ComparedSide candidate) {
        String before = base.origin().window();
        String after = candidate.origin().window();
        return before == null || after == null || before.equals(after) ? Optional.empty()
                : Optional.of("Window of the desktop while measuring: base " + before + ", candidate " + after + ".");
    }

    /// "Runs that find a difference in 4 of 5 experiments (Output throughput): 10 %: 4, 5 %: 9, 2 %: 44." Of the first metric with a ratio.
    private static Optional<String> neededRuns(Map<String, Comparison> comparisons) {
        return comparisons.values().stream()
                .filter(each -> each.testResult().isPresent() && Comparisons.byRatio(each.metric())).findFirst()
                .map(first -> "Runs that find a difference in 4 of 5 experiments (" + first.metric().label() + "): "
                        + Stream.of(10, 5, 2).map(percent -> percent + " %: " + runs(first.runsToFind(percent / 100.0)))
                                .collect(Collectors.joining(", "))
                        + ".");
    }

    private static String runs(OptionalInt runs) {
        return runs.isEmpty() ? "more than 1000" : Integer.toString(runs.getAsInt());
    }

    private static ComparedFigure figure(Comparison comparison, boolean ranked) {
        Metric metric = comparison.metric();
        Optional<Comparison.TestResult> test = comparison.testResult();
        return new ComparedFigure(metric.id(), metric.label(), comparison.base().mean(),
                comparison.base().interval().orElse(null), comparison.candidate().mean(),
                comparison.candidate().interval().orElse(null), comparison.difference(),
                comparison.improvement().orElse(null),
                comparison.improvementInterval().map(Comparison.ShareRange::low).orElse(null),
                comparison.improvementInterval().map(Comparison.ShareRange::high).orElse(null),
                comparison.relativeSmallestDetectable().map(share -> share * Math.abs(comparison.base().mean()))
                        .orElse(null),
                test.map(Comparison.TestResult::pValue).orElse(null), comparison.pairing().pairs(),
                comparison.pairing().leftOut(), comparison.family(), comparison.outcome(),
                ranked ? comparison.outcomeText() : "not ranked", comparison);
    }
}
