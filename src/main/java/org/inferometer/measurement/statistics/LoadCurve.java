package org.inferometer.measurement.statistics;

import java.util.List;

/// The load at which the share of good requests falls to a goal, estimated from all measured loads together.
///
/// The log odds of the share fall on a line in the load. Border and steepness of the line are weighted by the likelihood of the measured shares
/// on a grid, all of it as likely before (Bayes). Requests count as many as are independent: their number divided by one inflation for all
/// loads, since that of a single load is small where chance brought it few misses, and its share would then count too much.
///
/// @param estimate mean of the logarithm of the border
/// @param low lower end of the 95 % interval
/// @param high its upper end
public record LoadCurve(double estimate, double low, double high) {
    private static final double TAIL = 0.025;
    private static final double STEP = 0.02;
    /// Up to this factor outside of the loads that could be measured.
    private static final double BEYOND = 1.1;
    private static final double FLATTEST = 3;
    private static final double STEEPEST = 60;
    private static final double STEEPER = 1.3;
    private static final double SURE = 1e-9;
    private static final double HIGHEST_GOAL = 0.9999;

    /// The requests of a load.
    ///
    /// @param load above 0
    /// @param share of the good ones
    /// @param requests how many there are
    /// @param inflation variance of the number of misses by that of independent requests; at least 1
    public record Point(double load, double share, double requests, double inflation) {
        /// How much a load tells of the clusters at the border. One with fewer misses than the goal allows has few of them; one with more is
        /// overloaded, and its misses are one cluster.
        private double weight(double goal) {
            double missed = (requests * (1 - share) + 0.5) / (requests + 1) / (1 - goal);
            return requests * Math.min(missed, 1 / Math.sqrt(missed));
        }
    }

    /// @param least the lowest load that could be measured
    /// @param most the highest
    public static LoadCurve of(List<Point> points, double goal, double least, double most) {
        double reached = Math.min(goal, HIGHEST_GOAL);
        double weights = points.stream().mapToDouble(point -> point.weight(reached)).sum();
        double inflation = weights == 0 ? 1
                : points.stream().mapToDouble(point -> point.weight(reached) * point.inflation).sum() / weights;
        int borders = (int) Math.ceil(Math.log(most / least * BEYOND * BEYOND) / STEP) + 1;
        int slopes = (int) Math.ceil(Math.log(STEEPEST / FLATTEST) / Math.log(STEEPER));
        double[] logs = new double[borders * slopes];
        double highest = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < logs.length; i++) {
            double border = border(least, i / slopes);
            double slope = FLATTEST * Math.pow(STEEPER, i % slopes);
            for (Point point : points) {
                double share = 1 / (1 + (1 - reached) / reached * Math.exp(slope * (point.load / border - 1)));
                logs[i] += point.requests / inflation * likelihood(point.share, Math.clamp(share, SURE, 1 - SURE));
            }
            highest = Math.max(highest, logs[i]);
        }
        double[] weight = new double[borders];
        double all = 0;
        double sum = 0;
        for (int i = 0; i < logs.length; i++) {
            double likely = Math.exp(logs[i] - highest);
            weight[i / slopes] += likely;
            all += likely;
            sum += likely * Math.log(border(least, i / slopes));
        }
        return new LoadCurve(Math.exp(sum / all), quantile(weight, TAIL * all, least, -0.5),
                quantile(weight, (1 - TAIL) * all, least, 0.5));
    }

    private static double border(double least, double steps) {
        return least / BEYOND * Math.exp(steps * STEP);
    }

    /// The log-likelihood of a request.
    private static double likelihood(double seen, double share) {
        return seen * Math.log(share) + (1 - seen) * Math.log(1 - share);
    }

    private static double quantile(double[] weight, double level, double least, double end) {
        double sum = 0;
        int i = -1;
        while (sum < level && i < weight.length - 1) {
            sum += weight[++i];
        }
        return border(least, i + end);
    }
}
