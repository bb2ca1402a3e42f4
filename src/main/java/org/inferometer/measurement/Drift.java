package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Optional;

/// The drift of a figure over the runs of an experiment, in their order.
///
/// One slope for all cells, each centred on its own mean and middle (analysis of covariance), with values as shares of the cell's mean;
/// Student's t with runs − cells − 1 degrees of freedom.
///
/// @param change from the first run to the last, as a share
/// @param pValue the probability of a change at least this large if there were none
/// @param runs number of runs
public record Drift(double change, double pValue, int runs) {
    /// The share of experiments without drift that may get a warning.
    public static final double SIGNIFICANCE = 0.05;
    /// A smaller change is not a warning.
    public static final double NEGLIGIBLE = 0.01;

    /// One run's figure.
    ///
    /// @param cell runs of one cell share it
    /// @param order its place among all runs, from 0
    public record Point(int cell, int order, double value) {}

    /// The drift over runs; absent with fewer than two degrees of freedom, or if nothing varies.
    public static Optional<Drift> of(List<Point> runs) {
        List<List<Point>> cells = new ArrayList<>();
        runs.stream().map(Point::cell).distinct()
                .forEach(cell -> cells.add(runs.stream().filter(run -> run.cell() == cell).toList()));
        cells.removeIf(cell -> cell.size() < 2 || mean(cell) == 0);
        int n = cells.stream().mapToInt(List::size).sum();
        int freedom = n - cells.size() - 1;
        if (freedom < 2) {
            return Optional.empty();
        }
        LineFit line = new LineFit();
        for (List<Point> cell : cells) {
            double mean = mean(cell);
            double middle = cell.stream().mapToInt(Point::order).average().orElse(0);
            cell.forEach(run -> line.add(run.order() - middle, run.value() / mean - 1));
        }
        IntSummaryStatistics orders = cells.stream().flatMap(List::stream).mapToInt(Point::order).summaryStatistics();
        double pValue = line.pValue(freedom);
        return Double.isNaN(pValue) ? Optional.empty()
                : Optional.of(new Drift(line.slope() * (orders.getMax() - orders.getMin()), pValue, n));
    }

    /// Whether the drift is significant and not negligible.
    public boolean isWarning() {
        return pValue <= SIGNIFICANCE && Math.abs(change) >= NEGLIGIBLE;
    }

    private static double mean(List<Point> cell) {
        return cell.stream().mapToDouble(Point::value).average().orElse(0);
    }
}
