package org.inferometer.simulation;

import java.util.Arrays;
import java.util.List;

/// How long steps take: a sum of terms that are never negative, times the slowdown by other lanes.
///
/// Fitted by least squares of the relative error, with the coefficients held at 0 or above (coordinate descent, as in Franc,
/// Hlaváč and Navara, "Sequential coordinate-wise algorithm for the non-negative least squares problem", 2005), so that more work
/// never takes less time.
public final class StepTimes {
    private static final int REWEIGHTINGS = 4;
    private static final int SWEEPS = 2_000;
    private static final double CONVERGED = 1e-9;
    // Each leaves 0.62 of the bracket: the last is 0.0002 wide.
    private static final int SLOWDOWN_STEPS = 20;
    private static final double MOST_SLOWDOWN = 3;
    private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;

    private final double[] nanosPerTerm;
    private final double slowdown;

    private StepTimes(double[] nanosPerTerm, double slowdown) {
        this.nanosPerTerm = nanosPerTerm;
        this.slowdown = slowdown;
    }

    /// The times of measured steps; at least one.
    public static StepTimes fit(List<ObservedStep> steps) {
        boolean together = steps.stream().anyMatch(step -> step.otherLanes() > 0);
        double low = 0;
        double high = together ? MOST_SLOWDOWN : 0;
        for (int i = 0; i < SLOWDOWN_STEPS && high > low; i++) {
            double left = high - GOLDEN * (high - low);
            double right = low + GOLDEN * (high - low);
            if (fit(steps, left).meanSquare(steps) <= fit(steps, right).meanSquare(steps)) {
                high = right;
            } else {
                low = left;
            }
        }
        return fit(steps, (low + high) / 2);
    }

    /// Nanoseconds of a step.
    ///
    /// @param otherLanes other lanes that compute meanwhile
    public double nanos(StepWork work, double otherLanes) {
        double[] terms = new double[StepWork.TERMS];
        work.terms(terms);
        return product(terms) * (1 + slowdown * otherLanes);
    }

    /// By how much one other busy lane slows a step: 0 for not at all, 1 for twice the time.
    public double slowdown() {
        return slowdown;
    }

    private double product(double[] terms) {
        double sum = 0;
        for (int i = 0; i < terms.length; i++) {
            sum += terms[i] * nanosPerTerm[i];
        }
        return sum;
    }

    /// The mean square of the relative errors.
    private double meanSquare(List<ObservedStep> steps) {
        double sum = 0;
        for (ObservedStep step : steps) {
            double error = step.nanos() / nanos(step.work(), step.otherLanes()) - 1;
            sum += error * error;
        }
        return sum / steps.size();
    }

    /// As the other, with a slowdown that is known.
    static StepTimes fit(List<ObservedStep> steps, double slowdown) {
        double[][] terms = new double[steps.size()][StepWork.TERMS];
        double[] scale = new double[StepWork.TERMS];
        for (int i = 0; i < terms.length; i++) {
            steps.get(i).work().terms(terms[i]);
            for (int k = 0; k < scale.length; k++) {
                terms[i][k] *= 1 + slowdown * steps.get(i).otherLanes();
                scale[k] = Math.max(scale[k], terms[i][k]);
            }
        }
        double[] weights = new double[steps.size()];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = 1.0 / steps.get(i).nanos();
        }
        double[] nanosPerTerm = new double[StepWork.TERMS];
        for (int round = 0; round < REWEIGHTINGS; round++) {
            nanosPerTerm = leastSquares(steps, terms, weights, scale);
            for (int i = 0; i < weights.length; i++) {
                weights[i] = 1 / Math.max(1, new StepTimes(nanosPerTerm, 0).product(terms[i]));
            }
        }
        return new StepTimes(nanosPerTerm, slowdown);
    }

    /// Non-negative coefficients of the least weighted square error. Each term is scaled to at most 1.
    private static double[] leastSquares(List<ObservedStep> steps, double[][] terms, double[] weights, double[] scale) {
        int count = StepWork.TERMS;
        double[][] gram = new double[count][count];
        double[] target = new double[count];
        double[] scaled = new double[count];
        for (int i = 0; i < terms.length; i++) {
            double square = weights[i] * weights[i];
            for (int k = 0; k < count; k++) {
                scaled[k] = scale[k] == 0 ? 0 : terms[i][k] / scale[k];
            }
            for (int k = 0; k < count; k++) {
                target[k] += square * scaled[k] * steps.get(i).nanos();
                for (int l = 0; l < count; l++) {
                    gram[k][l] += square * scaled[k] * scaled[l];
                }
            }
        }
        double[] solution = descend(gram, target);
        for (int k = 0; k < count; k++) {
            solution[k] = scale[k] == 0 ? 0 : solution[k] / scale[k];
        }
        return solution;
    }

    private static double[] descend(double[][] gram, double[] target) {
        double[] at = new double[target.length];
        double[] gradient = Arrays.stream(target).map(value -> -value).toArray();
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            double moved = 0;
            for (int k = 0; k < at.length; k++) {
                if (gram[k][k] == 0) {
                    continue;
                }
                double next = Math.max(0, at[k] - gradient[k] / gram[k][k]);
                double step = next - at[k];
                if (step != 0) {
                    at[k] = next;
                    for (int l = 0; l < at.length; l++) {
                        gradient[l] += step * gram[k][l];
                    }
                    moved = Math.max(moved, Math.abs(step) / Math.max(1, next));
                }
            }
            if (moved < CONVERGED) {
                break;
            }
        }
        return at;
    }
}
