package org.inferometer.report.compare;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.inferometer.measurement.Comparison;
import org.inferometer.measurement.Comparisons;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Metric;
import org.jspecify.annotations.Nullable;

/// Results held against a base: who is faster, by how much, how sure that is, and whether the question may be asked at all.
///
/// @param pairs each candidate with its base
/// @param unpaired sentences about cells that found no counterpart
public record ResultComparison(List<Pair> pairs, List<String> unpaired) {
    /// The figures that a comparison is about, in the order in which tables show them.
    static final List<String> METRICS = List.of("request_throughput", "output_throughput", "goodput", "ttft_p50",
            "ttft_p95", "tpot_p50", "itl_p50", "itl_p95", "inter_chunk_p50", "e2e_mean", "e2e_p50", "e2e_p95",
            "memory_peak_total", "energy_per_token");
    /// What stands in for a figure that one side lacks, as imported runs lack whatever counts from the intended instant.
    private static final Map<String, String> STAND_INS = standIns();

    /// One candidate against its base.
    ///
    /// @param differences why the two are not comparable; empty where they are
    /// @param ranked whether a better one may be named
    /// @param figures raw values in the units of their metrics
    public record Pair(String base, String candidate, List<String> differences, boolean ranked, List<String> cautions,
            List<ComparedFigure> figures) {
        /// Its figures with an outcome.
        List<ComparedFigure> with(Comparison.Outcome outcome) {
            return ranked ? figures.stream().filter(figure -> figure.outcome() == outcome).toList() : List.of();
        }
    }

    /// One figure of a pair.
    ///
    /// @param halfWidth half of the 95 % interval of the difference; absent with fewer than two runs on a side
    /// @param smallestDetectable the true difference that would be found four times in five
    /// @param pValue corrected after Holm for a family of this many
    /// @param words the outcome in words that fit the metric; "not ranked" where the pair is not comparable
    public record ComparedFigure(String metric, String label, double base, @Nullable Double baseHalfWidth,
            double candidate, @Nullable Double candidateHalfWidth, double difference, @Nullable Double halfWidth,
            @Nullable Double improvement, @Nullable Double smallestDetectable, @Nullable Double pValue, int family,
            Comparison.Outcome outcome, String words, @JsonIgnore Comparison comparison) {}

    private static Map<String, String> standIns() {
        Map<String, String> standIns = new LinkedHashMap<>();
        standIns.put("total_throughput", "output_throughput");
        standIns.put("service_ttft_mean", "ttft_p50");
        standIns.put("service_ttft_p50", "ttft_p50");
        standIns.put("service_ttft_p95", "ttft_p95");
        standIns.put("tpot_mean", "tpot_p50");
        standIns.put("service_e2e_mean", "e2e_mean");
        standIns.put("service_e2e_p50", "e2e_p50");
        standIns.put("service_e2e_p95", "e2e_p95");
        standIns.put("prefill_latency_mean", "ttft_p50");
        standIns.put("decode_latency_mean", "e2e_mean");
        standIns.put("memory_mean_total", "memory_peak_total");
        return standIns;
    }

    /// Compares. A base of one cell is held against every cell of the candidates; a base of several against the cells of equal label.
    ///
    /// @param base cells or a run
    /// @param candidates of each candidate its cells, or a run
    /// @param anyway whether to rank what is not comparable
    public static ResultComparison of(List<ComparedSide> base, List<List<ComparedSide>> candidates, boolean anyway) {
        List<ComparedSide> bases = new ArrayList<>();
        List<ComparedSide> against = new ArrayList<>();
        List<String> unpaired = new ArrayList<>();
        for (ComparedSide candidate : candidates.stream().flatMap(List::stream).toList()) {
            Optional<ComparedSide> mate = base.size() == 1 ? Optional.of(base.getFirst())
                    : base.stream().filter(side -> side.cell().label().equals(candidate.cell().label())).findFirst();
            if (mate.isPresent() && !mate.get().name().equals(candidate.name())) {
                bases.add(mate.get());
                against.add(candidate);
            } else if (mate.isEmpty()) {
                unpaired.add(candidate.name()
                        + " has no counterpart in the base and was left out; compare it with one cell of the base alone.");
            }
        }
        List<Map<String, Comparison>> comparisons = new ArrayList<>();
        against.forEach(side -> comparisons.add(new LinkedHashMap<>()));
        METRICS.forEach(metric -> compare(metric, bases, against, comparisons));
        STAND_INS.forEach((metric, usual) -> {
            if (comparisons.stream().noneMatch(pair -> pair.containsKey(usual))) {
                compare(metric, bases, against, comparisons);
            }
        });
        List<Pair> pairs = IntStream.range(0, against.size())
                .mapToObj(i -> pair(bases.get(i), against.get(i), comparisons.get(i), anyway)).toList();
        return new ResultComparison(pairs, List.copyOf(unpaired));
    }

    /// All pairs that have the figure are one family.
    private static void compare(String metric, List<ComparedSide> bases, List<ComparedSide> candidates,
            List<Map<String, Comparison>> into) {
        List<CellFigure> baseFigures = new ArrayList<>();
        List<CellFigure> figures = new ArrayList<>();
        List<Integer> at = new ArrayList<>();
        for (int i = 0; i < candidates.size(); i++) {
            Optional<CellFigure> base = bases.get(i).figure(metric);
            Optional<CellFigure> candidate = candidates.get(i).figure(metric);
            if (base.isPresent() && candidate.isPresent()) {
                baseFigures.add(base.get());
                figures.add(candidate.get());
                at.add(i);
            }
        }
        List<Comparison> compared = Comparisons.together(baseFigures, figures);
        for (int i = 0; i < compared.size(); i++) {
            into.get(at.get(i)).put(metric, compared.get(i));
        }
    }

    private static Pair pair(ComparedSide base, ComparedSide candidate, Map<String, Comparison> comparisons,
            boolean anyway) {
        List<String> differences = candidate.differencesFrom(base);
        boolean ranked = differences.isEmpty() || anyway;
        List<String> cautions = new ArrayList<>();
        for (ComparedSide side : List.of(base, candidate)) {
            if (side.invalid()) {
                cautions.add(side.name() + " has a run that is INVALID: do not rely on its figures.");
            }
        }
        return new Pair(base.name(), candidate.name(), differences, ranked, List.copyOf(cautions),
                comparisons.values().stream().map(comparison -> figure(comparison, ranked)).toList());
    }

    private static ComparedFigure figure(Comparison comparison, boolean ranked) {
        Metric metric = comparison.metric();
        Optional<Comparison.Certainty> sure = comparison.sureness();
        return new ComparedFigure(metric.id(), metric.label(), comparison.base().mean(), comparison.base().halfWidth(),
                comparison.candidate().mean(), comparison.candidate().halfWidth(), comparison.difference(),
                sure.map(Comparison.Certainty::halfWidth).orElse(null), comparison.improvement().orElse(null),
                sure.map(Comparison.Certainty::smallestDetectable).orElse(null),
                sure.map(Comparison.Certainty::pValue).orElse(null), comparison.family(), comparison.outcome(),
                ranked ? BaselineComparison.verdict(comparison) : "not ranked", comparison);
    }
}
