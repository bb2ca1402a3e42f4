package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.inferometer.measurement.Comparison.Certainty;
import org.inferometer.measurement.Comparison.Outcome;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Metric;
import org.inferometer.record.Metric.Better;
import org.jspecify.annotations.Nullable;

/// Compares cells over their runs, never over their requests: requests of one run share its luck. Pure.
public final class Comparisons {
    /// The share of comparisons of equals that may be called different.
    public static final double SIGNIFICANCE = 0.05;
    /// How surely the smallest detectable difference is detected.
    public static final double POWER = 0.8;

    private static final int LEAST_RUNS = 2;

    private Comparisons() {}

    /// Whether a metric has a better direction, without which there is nothing to judge.
    public static boolean comparable(Metric metric) {
        return metric.better() != Better.NEITHER;
    }

    /// Compares one candidate with a base.
    ///
    /// @throws IllegalArgumentException when the figures are of different metrics or of one without a better direction
    public static Comparison between(CellFigure base, CellFigure candidate) {
        return against(base, List.of(candidate)).getFirst();
    }

    /// Compares candidates with a base. Two candidates or more are corrected after Holm, so that the chance to call any of several
    /// equals different stays at [#SIGNIFICANCE].
    ///
    /// @return one comparison a candidate, in their order
    public static List<Comparison> against(CellFigure base, List<CellFigure> candidates) {
        return together(Collections.nCopies(candidates.size(), base), candidates);
    }

    /// Compares each candidate with its own base, all of them judged together: corrected after Holm.
    ///
    /// @param bases one a candidate, in their order
    /// @return one comparison a candidate, in their order
    public static List<Comparison> together(List<CellFigure> bases, List<CellFigure> candidates) {
        List<@Nullable MeanDifference> differences = new ArrayList<>();
        for (int i = 0; i < candidates.size(); i++) {
            CellFigure base = bases.get(i);
            requireComparable(base.metric(), candidates.get(i).metric());
            boolean enough = base.runs() >= LEAST_RUNS && candidates.get(i).runs() >= LEAST_RUNS;
            differences.add(enough ? MeanDifference.between(base.runValues(), candidates.get(i).runValues()) : null);
        }
        double[] raw = differences.stream().filter(d -> d != null).mapToDouble(MeanDifference::pValue).toArray();
        double[] corrected = Holm.corrected(raw);
        List<Comparison> comparisons = new ArrayList<>();
        int judged = 0;
        for (int i = 0; i < candidates.size(); i++) {
            MeanDifference difference = differences.get(i);
            comparisons.add(difference == null ? untold(bases.get(i), candidates.get(i))
                    : told(bases.get(i), candidates.get(i), difference, corrected[judged++], corrected.length));
        }
        return List.copyOf(comparisons);
    }

    private static Comparison untold(CellFigure base, CellFigure candidate) {
        return new Comparison(base.metric(), base, candidate, candidate.mean() - base.mean(), null, 1,
                Outcome.TOO_FEW_RUNS);
    }

    private static Comparison told(CellFigure base, CellFigure candidate, MeanDifference difference, double pValue,
            int family) {
        Certainty certainty = new Certainty(difference.halfWidth(TInterval.CONFIDENCE),
                difference.detectable(1 - SIGNIFICANCE / family, POWER), pValue);
        Outcome outcome = Outcome.NO_DETECTABLE_DIFFERENCE;
        if (pValue <= SIGNIFICANCE) {
            boolean grew = difference.difference() > 0;
            outcome = grew == (base.metric().better() == Better.HIGHER) ? Outcome.FASTER : Outcome.SLOWER;
        }
        return new Comparison(base.metric(), base, candidate, difference.difference(), certainty, family, outcome);
    }

    private static void requireComparable(Metric base, Metric candidate) {
        if (!base.id().equals(candidate.id())) {
            throw new IllegalArgumentException(base.label() + " cannot be compared with " + candidate.label() + ".");
        }
        if (!comparable(base)) {
            throw new IllegalArgumentException(base.label() + " has no better direction to compare by.");
        }
    }
}
