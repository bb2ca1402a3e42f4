package org.inferometer.report.compare;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.inferometer.measurement.comparison.Comparison;
import org.inferometer.measurement.comparison.Comparisons;
import org.inferometer.record.Metric;
import org.inferometer.record.Metric.Better;
import org.inferometer.report.FigureText;
import org.inferometer.report.GainText;
import org.inferometer.report.RatioText;

/// The best cell of a group by one metric, over runs.
///
/// @param equal the others that do not differ detectably from the best
/// @param next the second best by its mean
public record BestCell(Metric metric, ComparedCell best, List<ComparedCell> equal, ComparedCell next) {
    /// The best of a group; empty with fewer than two cells, or where one has no figure, a single run or too few samples, or the load sets it,
    /// and where cells did other work.
    public static Optional<BestCell> of(List<ComparedCell> group, Metric metric) {
        if (group.size() < 2 || OtherWork.among(group).isPresent()
                || group.stream().anyMatch(cell -> cell.figure(metric)
                        .filter(figure -> figure.runs() > 1 && figure.enough() && !figure.setByLoad()).isEmpty())) {
            return Optional.empty();
        }
        List<ComparedCell> ranked = ranked(group, metric);
        List<ComparedCell> others = ranked.subList(1, ranked.size());
        List<Comparison> comparisons =
                Comparisons.withBest(ranked.stream().map(cell -> cell.required(metric)).toList());
        List<ComparedCell> equal = IntStream.range(0, others.size())
                .filter(c -> comparisons.get(c).outcome() != Comparison.Outcome.SLOWER).mapToObj(others::get).toList();
        return Optional.of(new BestCell(metric, ranked.getFirst(), equal, others.getFirst()));
    }

    /// The best of a group by its means alone: of at least two cells that all have the figure.
    static BestCell byMean(List<ComparedCell> group, Metric metric) {
        List<ComparedCell> ranked = ranked(group, metric);
        return new BestCell(metric, ranked.get(0), List.of(), ranked.get(1));
    }

    private static List<ComparedCell> ranked(List<ComparedCell> group, Metric metric) {
        Comparator<ComparedCell> byMean = Comparator.comparingDouble(cell -> cell.required(metric).mean());
        return group.stream().sorted(metric.better() == Better.HIGHER ? byMean.reversed() : byMean).toList();
    }

    /// Its figure with unit: "28.68 ms", "28.68 ms (n = 30)" with too few samples.
    public String value() {
        return FigureText.meanWithUnit(best.required(metric));
    }

    /// The distance to the second: "3.9× faster [3.1, 5.2] than naive"; "1.04× [0.99, 1.10] that of naive" if the two do not
    /// differ detectably; empty if a side is 0.
    public Optional<String> distance() {
        Comparison comparison = Comparisons.between(next.required(metric), best.required(metric));
        String link = comparison.directionText().isEmpty() ? " that of " : " than ";
        return RatioText.of(comparison).value()
                .map(each -> new GainText(comparison).withInterval() + link + next.name());
    }

    /// The largest of the smallest detectable differences to the equal cells, as a share; empty without a test.
    Optional<Double> leastDetectable() {
        List<Optional<Double>> each =
                equal.stream().map(this::against).map(Comparison::relativeSmallestDetectable).toList();
        return each.stream().anyMatch(Optional::isEmpty) ? Optional.empty()
                : each.stream().flatMap(Optional::stream).max(Comparator.naturalOrder());
    }

    /// "About 9 runs per cell find a difference of 10 %."
    String runsToTell(double share) {
        String difference = Math.round(share * 100) + " %.";
        List<OptionalInt> runs = equal.stream().map(this::against).map(each -> each.runsToFind(share)).toList();
        return runs.stream().anyMatch(OptionalInt::isEmpty)
                ? "Measure more runs per cell, or longer ones, to find a difference of " + difference
                : "About " + runs.stream().mapToInt(OptionalInt::getAsInt).max().orElseThrow()
                        + " runs per cell find a difference of " + difference;
    }

    private Comparison against(ComparedCell other) {
        return Comparisons.between(other.required(metric), best.required(metric));
    }
}
