package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.commons.statistics.distribution.TDistribution;

/// The drift of a figure over the runs of an experiment, in their order.
///
/// One line with a common slope through the runs of all cells, each cell about its own mean and its own middle (analysis of covariance), the
/// values taken as shares of their cell's mean; Student's t with runs − cells − 1 degrees of freedom.
///
/// @param change from the first run to the last, as a share
/// @param pValue the chance of a change at least this large if there were none
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

    /// The drift over runs; absent with fewer than two runs more than the line needs, or where nothing varies.
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
        double xx = 0;
        double xy = 0;
        double yy = 0;
        int first = Integer.MAX_VALUE;
        int last = 0;
        for (List<Point> cell : cells) {
            double mean = mean(cell);
            double middle = cell.stream().mapToInt(Point::order).average().orElse(0);
            for (Point run : cell) {
                double x = run.order() - middle;
                double y = run.value() / mean - 1;
                xx += x * x;
                xy += x * y;
                yy += y * y;
                first = Math.min(first, run.order());
                last = Math.max(last, run.order());
            }
        }
        double slope = xy / xx;
        double error = Math.sqrt(Math.max(0, yy - slope * xy) / freedom / xx);
        double t = Math.abs(slope) / error;
        return Double.isNaN(t) || xx == 0 ? Optional.empty() : Optional
                .of(new Drift(slope * (last - first), 2 * TDistribution.of(freedom).survivalProbability(t), n));
    }

    /// Whether the drift is significant and not negligible.
    public boolean isWarning() {
        return pValue <= SIGNIFICANCE && Math.abs(change) >= NEGLIGIBLE;
    }

    private static double mean(List<Point> cell) {
        return cell.stream().mapToDouble(Point::value).average().orElse(0);
    }
}
