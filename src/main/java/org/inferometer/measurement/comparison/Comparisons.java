package org.inferometer.measurement.comparison;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.inferometer.measurement.comparison.Comparison.Outcome;
import org.inferometer.measurement.comparison.Comparison.TestResult;
import org.inferometer.measurement.statistics.Holm;
import org.inferometer.measurement.statistics.MeanDifference;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Metric;
import org.inferometer.record.Metric.Better;

/// Compares cells over their runs, not over their requests: requests of one run are not independent. Runs are paired by seed where enough
/// seeds are shared ([RunPairs]).
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

    /// Whether a metric is compared by its ratio, so that an interval has a width in per cent.
    public static boolean byRatio(Metric metric) {
        return comparable(metric) && RunPairs.onLogs(metric);
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

    /// Compares each of some figures with the best of them. The best was chosen by its mean, so they are corrected for all pairs of figures.
    ///
    /// @param bestFirst at least two, the best first
    /// @return one comparison per figure after the first, in order; the first is the base
    public static List<Comparison> withBest(List<CellFigure> bestFirst) {
        List<CellFigure> bases = new ArrayList<>();
        List<CellFigure> candidates = new ArrayList<>();
        for (int base = 0; base < bestFirst.size(); base++) {
            for (CellFigure candidate : bestFirst.subList(base + 1, bestFirst.size())) {
                bases.add(bestFirst.get(base));
                candidates.add(candidate);
            }
        }
        return together(bases, candidates).subList(0, bestFirst.size() - 1);
    }

    /// Compares each candidate with its own base; all comparisons are corrected together after Holm.
    ///
    /// @param bases one per candidate, in order
    /// @return one comparison per candidate, in order
    public static List<Comparison> together(List<CellFigure> bases, List<CellFigure> candidates) {
        return together(bases, candidates, Collections.nCopies(candidates.size(), Optional.empty()));
    }

    /// As [#together(List, List)], for sides that may be of two experiments.
    ///
    /// @param variations of each pair, the known variation between its experiments; empty within one experiment
    public static List<Comparison> together(List<CellFigure> bases, List<CellFigure> candidates,
            List<Optional<ExperimentVariation>> variations) {
        List<RunPairs> pairs = new ArrayList<>();
        List<Optional<MeanDifference>> differences = new ArrayList<>();
        for (int i = 0; i < candidates.size(); i++) {
            requireComparable(bases.get(i).metric(), candidates.get(i).metric());
            pairs.add(RunPairs.of(bases.get(i), candidates.get(i)).across(bases.get(i).metric(), variations.get(i)));
            differences.add(setByLoad(bases.get(i), candidates.get(i)) ? Optional.empty() : pairs.get(i).difference());
        }
        double[] corrected = Holm.corrected(
                differences.stream().flatMap(Optional::stream).mapToDouble(MeanDifference::pValue).toArray());
        List<Comparison> comparisons = new ArrayList<>();
        int tested = 0;
        for (int i = 0; i < candidates.size(); i++) {
            CellFigure base = bases.get(i);
            RunPairs runs = pairs.get(i);
            Optional<MeanDifference> difference = differences.get(i);
            double pValue = difference.isEmpty() ? 1 : corrected[tested++];
            int family = difference.isEmpty() ? 1 : corrected.length;
            comparisons.add(new Comparison(base.metric(), base, candidates.get(i), Comparison.Pairing.of(runs),
                    runs.change().orElse(null), difference.map(each -> result(runs, each, pValue)).orElse(null), family,
                    difference.map(each -> outcome(base.metric(), each, pValue))
                            .orElse(setByLoad(base, candidates.get(i)) ? Outcome.SET_BY_LOAD : Outcome.TOO_FEW_RUNS)));
        }
        return List.copyOf(comparisons);
    }

    private static boolean setByLoad(CellFigure base, CellFigure candidate) {
        return base.setByLoad() && candidate.setByLoad();
    }

    /// The same comparisons, corrected after Holm for being judged together, such as several metrics in one sentence.
    ///
    /// What was corrected before is corrected again, which errs towards no difference.
    ///
    /// @return in the same order; those without a test and those that are not ranked as they are
    public static List<Comparison> corrected(List<Comparison> comparisons) {
        List<Comparison> tested = comparisons.stream().filter(Comparisons::isJudged).toList();
        double[] pValues =
                Holm.corrected(tested.stream().mapToDouble(each -> each.testResult().orElseThrow().pValue()).toArray());
        List<Comparison> corrected = new ArrayList<>();
        int next = 0;
        for (Comparison each : comparisons) {
            corrected.add(
                    isJudged(each) ? each.corrected(pValues[next++], Math.max(each.family(), tested.size())) : each);
        }
        return List.copyOf(corrected);
    }

    private static boolean isJudged(Comparison comparison) {
        return comparison.testResult().isPresent() && comparison.outcome() != Outcome.NOT_RANKED;
    }

    private static TestResult result(RunPairs runs, MeanDifference difference, double pValue) {
        return new TestResult(runs.interval(difference).orElse(null),
                runs.shareOfError(difference.standardError()).orElse(null), difference.degreesOfFreedom(), runs.logs(),
                pValue);
    }

    private static Outcome outcome(Metric metric, MeanDifference difference, double pValue) {
        if (pValue > SIGNIFICANCE) {
            return Outcome.NO_DETECTABLE_DIFFERENCE;
        }
        return difference.difference() > 0 == (metric.better() == Better.HIGHER) ? Outcome.FASTER : Outcome.SLOWER;
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
