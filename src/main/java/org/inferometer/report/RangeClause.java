package org.inferometer.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.inferometer.measurement.Comparison;
import org.inferometer.measurement.Comparison.Outcome;
import org.inferometer.record.Metric.Unit;
import org.inferometer.report.compare.ComparedCell;
import org.inferometer.report.compare.LoadNames;

/// One metric of two sides over ascending loads as a clause, by how much at both ends and where:
/// "TTFT P50 1.9× [1.7, 2.1] to 2.0× [1.84, 2.2] shorter",
/// "TTFT P50 no detectable difference at 4 req/s, 7.4× [6.0, 9.1] shorter at 8 req/s (differs from 6 req/s)".
///
/// @param points at least two, ascending by their load
record RangeClause(LoadNames names, List<Point> points) {
    /// @param load a cell under it
    record Point(ComparedCell load, Comparison comparison) {
        private boolean isUndetected() {
            return comparison.outcome() == Outcome.NO_DETECTABLE_DIFFERENCE;
        }
    }

    /// The clauses of several metrics: those with a difference at a load, then the others in one.
    static List<String> of(List<RangeClause> metrics) {
        List<RangeClause> undetected = metrics.stream().filter(RangeClause::isUndetected).toList();
        List<String> clauses = new ArrayList<>();
        metrics.stream().filter(each -> !undetected.contains(each)).map(RangeClause::text).forEach(clauses::add);
        if (!undetected.isEmpty()) {
            clauses.add(undetected.stream().map(RangeClause::label).collect(Collectors.joining(" and "))
                    + ": no detectable difference at any load");
        }
        return clauses;
    }

    private boolean isUndetected() {
        return points.stream().allMatch(Point::isUndetected);
    }

    private String label() {
        return DifferenceText.lowerFirst(points.getFirst().comparison().metric().label());
    }

    private String text() {
        Point low = points.getFirst();
        Point high = points.getLast();
        if (points.stream().anyMatch(Point::isUndetected)) {
            return label() + " " + size(low) + " " + names.circumstance(low.load()) + ", " + size(high) + " "
                    + names.circumstance(high.load()) + where();
        }
        String direction = direction(high);
        return label() + " " + (!direction(low).equals(direction) ? size(low) + " to " + size(high)
                : (factor(low).equals(factor(high)) ? factor(high) : factor(low) + " to " + factor(high)) + direction);
    }

    /// " (differs from 6 req/s)"; empty where both ends say it.
    private String where() {
        List<Integer> differing =
                IntStream.range(0, points.size()).filter(i -> !points.get(i).isUndetected()).boxed().toList();
        if (points.size() == 2) {
            return "";
        }
        int first = differing.getFirst();
        int last = differing.getLast();
        boolean together = last - first + 1 == differing.size();
        if (together && first == last) {
            return " (differs " + names.circumstance(points.get(first).load()) + " alone)";
        }
        return together && last == points.size() - 1 ? " (differs from " + names.of(points.get(first).load()) + ")"
                : together && first == 0 ? " (differs up to " + names.of(points.get(last).load()) + ")"
                : " (differs at " + differing.size() + " of " + points.size() + " loads)";
    }

    private static String size(Point point) {
        return point.isUndetected() ? "no detectable difference" : factor(point) + direction(point);
    }

    private static String factor(Point point) {
        return new RatioText(point.comparison(), direction(point).equals(" shorter")).withInterval();
    }

    /// " shorter" or " longer" for latencies; empty for others.
    private static String direction(Point point) {
        Comparison comparison = point.comparison();
        Optional<Double> ratio = RatioText.of(comparison).value();
        return comparison.metric().unit() != Unit.NANOSECONDS || ratio.isEmpty() ? "" : ratio.get() <= 1 ? " shorter"
                : " longer";
    }
}
