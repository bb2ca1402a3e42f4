package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.inferometer.measurement.Comparison.Outcome;
import org.inferometer.measurement.Comparison.TestResult;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Metric;
import org.inferometer.record.Metric.Better;

/// Compares cells over their runs, not over their requests: requests of one run are not independent.
public final class Comparisons {
    /// The share of equal pairs that may be reported as different.
    public static final double SIGNIFICANCE = 0.05;
    /// The power at the smallest detectable difference.
    public static final double POWER = 0.8;

    private Comparisons() {}

    /// Whether a metric has a better direction.
    public static boolean comparable(Metric metric) {
        return metric.better() != Better.NEITHER;
    }

    /// Compares one candidate with a base.
    ///
    /// @throws IllegalArgumentException if the metrics differ or have no better direction
    public static Comparison between(CellFigure base, CellFigure candidate) {
        return against(base, List.of(candidate)).getFirst();
    }

    /// Compares candidates with a base. Two or more are Holm-corrected: the probability of any false difference stays at [#SIGNIFICANCE].
    ///
    /// @return one comparison per candidate, in order
    public static List<Comparison> against(CellFigure base, List<CellFigure> candidates) {
        return together(Collections.nCopies(candidates.size(), base), candidates);
    }

    /// Compares each candidate with its own base; all comparisons are corrected together after Holm.
    ///
    /// @param bases one per candidate, in order
    /// @return one comparison per candidate, in order
    public static List<Comparison> together(List<CellFigure> bases, List<CellFigure> candidates) {
        List<Optional<MeanDifference>> differences = new ArrayList<>();
        for (int i = 0; i < candidates.size(); i++) {
            requireComparable(bases.get(i).metric(), candidates.get(i).metric());
            differences.add(MeanDifference.between(bases.get(i).runValues(), candidates.get(i).runValues(), 1));
        }
        double[] corrected = Holm.corrected(
                differences.stream().flatMap(Optional::stream).mapToDouble(MeanDifference::pValue).toArray());
        List<Comparison> comparisons = new ArrayList<>();
        int tested = 0;
        for (int i = 0; i < candidates.size(); i++) {
            comparisons
                    .add(differences.get(i).isEmpty() ? untested(bases.get(i), candidates.get(i)) : tested(bases.get(i),
                            candidates.get(i), differences.get(i).get(), corrected[tested++], corrected.length));
        }
        return List.copyOf(comparisons);
    }

    private static Comparison untested(CellFigure base, CellFigure candidate) {
        return new Comparison(base.metric(), base, candidate, candidate.mean() - base.mean(), null, 1,
                Outcome.TOO_FEW_RUNS);
    }

    private static Comparison tested(CellFigure base, CellFigure candidate, MeanDifference difference, double pValue,
            int family) {
        TestResult result = new TestResult(difference.halfWidth(Moments.CONFIDENCE),
                difference.detectable(1 - SIGNIFICANCE / family, POWER), pValue);
        Outcome outcome = Outcome.NO_DETECTABLE_DIFFERENCE;
        if (pValue <= SIGNIFICANCE) {
            boolean grew = difference.difference() > 0;
            outcome = grew == (base.metric().better() == Better.HIGHER) ? Outcome.FASTER : Outcome.SLOWER;
        }
        return new Comparison(base.metric(), base, candidate, difference.difference(), result, family, outcome);
    }

    private static void requireComparable(Metric base, Metric candidate) {
        if (!base.id().equals(candidate.id())) {
            throw new IllegalArgumentException(base.label() + " cannot be compared with " + candidate.label() + ".");
        }
        if (!comparable(base)) {
            throw new IllegalArgumentException(base.label() + " has no better direction and cannot be compared.");
        }
    }
}
