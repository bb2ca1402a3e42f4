package org.inferometer.measurement.statistics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The drift of a figure over the runs of an experiment, in their order, with values as shares of their cell's mean.
///
/// The runs of a repetition share the seed of their requests, so they rise and fall together without any drift. Two tests that do not depend
/// on each other look for it: one slope for all runs beside an effect of each cell and of each load's repetition (analysis of covariance),
/// which the order within repetitions tells; and, from four repetitions on, a least-squares line through the means of the repetitions, with
/// repetitions − 2 degrees of freedom. Where both are possible the smaller p-value counts twice (Bonferroni).
///
/// @param change from the first run to the last, as a share
/// @param pValue the probability of a change at least this large if there were none
/// @param runs number of runs
public record Drift(double change, double pValue, int runs) {
    /// The share of experiments without drift that may get a warning.
    public static final double SIGNIFICANCE = 0.05;
    /// A smaller change is not a warning.
    public static final double NEGLIGIBLE = 0.01;
    private static final int LEAST_REPETITIONS = 4;
    private static final int LEAST_FREEDOM = 2;
    private static final int SWEEPS = 200;
    private static final double SETTLED = 1e-12;

    /// One run's figure.
    ///
    /// @param cell runs of one cell share it
    /// @param load runs with the same requests in a repetition share it
    /// @param order its place among all runs, from 0
    public record Point(int cell, int load, int repetition, int order, double value) {}

    /// A load in a repetition.
    private record Draw(int load, int repetition) {}

    /// The drift over runs; absent with fewer than two degrees of freedom, or if nothing varies.
    public static Optional<Drift> of(List<Point> runs) {
        List<Point> shares = new ArrayList<>();
        runs.stream().collect(Collectors.groupingBy(Point::cell)).values().forEach(cell -> {
            double mean = mean(cell, Point::value);
            if (cell.size() > 1 && mean != 0) {
                cell.forEach(run -> shares
                        .add(new Point(run.cell, run.load, run.repetition, run.order, run.value / mean - 1)));
            }
        });
        List<List<Point>> repetitions =
                List.copyOf(shares.stream().collect(Collectors.groupingBy(Point::repetition)).values());
        Optional<Drift> within = within(shares);
        Optional<Drift> between = repetitions.size() < LEAST_REPETITIONS ? Optional.empty()
                : drift(shares, repetitions.stream().mapToDouble(each -> mean(each, Point::order)).toArray(),
                        repetitions.stream().mapToDouble(each -> mean(each, Point::value)).toArray(),
                        repetitions.size() - 2);
        if (within.isEmpty() || between.isEmpty()) {
            return within.or(() -> between);
        }
        Drift clearer = within.get().pValue() < between.get().pValue() ? within.get() : between.get();
        return Optional.of(new Drift(clearer.change(), Math.min(1, 2 * clearer.pValue()), clearer.runs()));
    }

    private static Optional<Drift> within(List<Point> shares) {
        Set<Integer> cells = shares.stream().map(Point::cell).collect(Collectors.toSet());
        Set<Draw> draws = shares.stream().map(Drift::draw).collect(Collectors.toSet());
        Set<Integer> loads = shares.stream().map(Point::load).collect(Collectors.toSet());
        int freedom = shares.size() - cells.size() - draws.size() + loads.size() - 1;
        double[] orders = shares.stream().mapToDouble(Point::order).toArray();
        double[] values = shares.stream().mapToDouble(Point::value).toArray();
        // Effects of two kinds are taken out in turn; with complete repetitions, one turn does.
        double moved = Double.POSITIVE_INFINITY;
        for (int sweep = 0; sweep < SWEEPS && moved > SETTLED; sweep++) {
            moved = 0;
            for (double[] each : List.of(orders, values)) {
                moved = Math.max(moved, centre(shares, each, Point::cell));
                moved = Math.max(moved, centre(shares, each, Drift::draw));
            }
        }
        return drift(shares, orders, values, freedom);
    }

    private static Draw draw(Point run) {
        return new Draw(run.load, run.repetition);
    }

    /// Subtracts the mean of each group.
    ///
    /// @return the largest of them
    private static double centre(List<Point> runs, double[] values, Function<Point, Object> group) {
        Set<Object> done = new HashSet<>();
        double largest = 0;
        for (Point first : runs) {
            Object key = group.apply(first);
            if (done.add(key)) {
                int[] members =
                        IntStream.range(0, values.length).filter(i -> group.apply(runs.get(i)).equals(key)).toArray();
                double mean = Arrays.stream(members).mapToDouble(i -> values[i]).average().orElse(0);
                largest = Math.max(largest, Math.abs(mean));
                for (int i : members) {
                    values[i] -= mean;
                }
            }
        }
        return largest;
    }

    private static Optional<Drift> drift(List<Point> runs, double[] orders, double[] values, int freedom) {
        if (freedom < LEAST_FREEDOM) {
            return Optional.empty();
        }
        double middle = Arrays.stream(orders).average().orElse(0);
        double mean = Arrays.stream(values).average().orElse(0);
        LineFit line = new LineFit();
        for (int i = 0; i < orders.length; i++) {
            line.add(orders[i] - middle, values[i] - mean);
        }
        IntSummaryStatistics span = runs.stream().mapToInt(Point::order).summaryStatistics();
        double pValue = line.pValue(freedom);
        return Double.isNaN(pValue) ? Optional.empty()
                : Optional.of(new Drift(line.slope() * (span.getMax() - span.getMin()), pValue, runs.size()));
    }

    /// Whether the drift is significant and not negligible.
    public boolean isWarning() {
        return pValue <= SIGNIFICANCE && Math.abs(change) >= NEGLIGIBLE;
    }

    private static double mean(List<Point> runs, ToDoubleFunction<Point> of) {
        return runs.stream().mapToDouble(of).average().orElse(0);
    }
}
