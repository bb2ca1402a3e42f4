package org.inferometer.report.compare;

import static java.util.Comparator.comparing;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.inferometer.measurement.comparison.Comparison;
import org.inferometer.measurement.comparison.Comparison.Outcome;
import org.inferometer.record.Metric.Unit;
import org.inferometer.report.DifferenceText;
import org.inferometer.report.RatioText;

/// One metric of two sides over ascending loads as a clause, by how much at both ends and where:
/// "TTFT P50 1.9× [1.7, 2.1] to 2.0× [1.84, 2.2] shorter",
/// "TTFT P50 no detectable difference at 4 req/s, 7.4× [6.0, 9.1] shorter at 8 req/s (detected from 6 req/s)".
///
/// @param points at least two, ascending by their load
record RangeClause(LoadNames names, List<Point> points) {
    /// Loads between vary by chance.
    private static final double CLEARLY = 1.1;

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
        List<Integer> differing =
                IntStream.range(0, points.size()).filter(i -> !points.get(i).isUndetected()).boxed().toList();
        if (differing.size() < points.size() || isMixed(differing)) {
            return label() + " " + at(low) + ", " + at(high) + where(differing);
        }
        String ends = factor(low).equals(factor(high)) ? factor(high) : factor(low) + " to " + factor(high);
        return label() + " " + ends + direction(high) + beyond();
    }

    /// Whether some loads differ one way and some the other.
    private boolean isMixed(List<Integer> differing) {
        return differing.stream().map(i -> RatioText.of(points.get(i).comparison()).value().map(ratio -> ratio <= 1))
                .distinct().count() > 1;
    }

    /// ", 10× at 4 req/s" where a load between lies clearly beyond both ends.
    private String beyond() {
        return points.stream().filter(point -> ratio(point).isPresent()).max(comparing(point -> far(point)))
                .filter(point -> far(point) > CLEARLY)
                .map(point -> ", " + factor(point) + " " + names.circumstance(point.load())).orElse("");
    }

    /// How many times the factor of a load lies beyond those of both ends; 1 between them.
    private double far(Point point) {
        double low = ratio(points.getFirst()).orElse(1.0);
        double high = ratio(points.getLast()).orElse(1.0);
        double own = ratio(point).orElse(1.0);
        return Math.max(1, Math.max(own / Math.max(low, high), Math.min(low, high) / own));
    }

    private static Optional<Double> ratio(Point point) {
        return RatioText.of(point.comparison()).value();
    }

    /// " (detected from 6 req/s)"; empty where both ends say it.
    private String where(List<Integer> differing) {
        if (points.size() == 2) {
            return "";
        }
        if (isMixed(differing)) {
            List<Integer> between = differing.stream().filter(i -> i > 0 && i < points.size() - 1).toList();
            return between.size() == 1 ? " (" + at(points.get(between.getFirst())) + ")"
                    : " (detected at " + differing.size() + " of " + points.size() + " loads, in both directions)";
        }
        int first = differing.getFirst();
        int last = differing.getLast();
        boolean together = last - first + 1 == differing.size();
        if (together && first == last) {
            return " (detected " + names.circumstance(points.get(first).load()) + " alone)";
        }
        return together && last == points.size() - 1 ? " (detected from " + names.of(points.get(first).load()) + ")"
                : together && first == 0 ? " (detected up to " + names.of(points.get(last).load()) + ")"
                : " (detected at " + differing.size() + " of " + points.size() + " loads)";
    }

    private String at(Point point) {
        return size(point) + " " + names.circumstance(point.load());
    }

    private static String size(Point point) {
        return point.isUndetected() ? "no detectable difference" : factor(point) + direction(point);
    }

    private static String factor(Point point) {
        return new RatioText(point.comparison(),
                isLatency(point) && ratio(point).filter(ratio -> ratio <= 1).isPresent()).withInterval();
    }

    /// " shorter" or " longer" for latencies; empty for others.
    private static String direction(Point point) {
        return !isLatency(point) ? "" : ratio(point).map(ratio -> ratio <= 1 ? " shorter" : " longer").orElse("");
    }

    private static boolean isLatency(Point point) {
        return point.comparison().metric().unit() == Unit.NANOSECONDS;
    }
}
