package org.inferometer.measurement.verdict;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.commons.statistics.distribution.TDistribution;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.measurement.CellFigures;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.statistics.Moments;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.Metric;
import org.inferometer.record.Verdict.Condition;
import org.inferometer.record.Verdict.Requirement;
import org.inferometer.record.Verdict.State;
import org.inferometer.units.QuantityText;

/// Whether the first run of a cell was as fast as its others, where a server got prompts of it for the first time.
///
/// A cache makes the first run slower. It is told from noise by the other runs: the upper 95 % limit of one more run like them
/// (Student's t of the logarithms), and at least 10 %. The grade stays: the interval over the runs holds the first one.
final class FirstRun {
    private static final double SIGNIFICANCE = 0.05;
    private static final double LEAST_RATIO = 1.1;

    private FirstRun() {}

    /// Empty where no first run had new prompts that later runs repeat.
    static Optional<Condition> condition(List<CellSummary> cells, ExperimentSpec spec) {
        List<CellSummary> fresh = cells.stream().filter(FirstRun::hasNewPrompts).toList();
        List<CellSummary> judged = fresh.stream()
                .filter(cell -> cell.runs() >= VerdictRules.LEAST_RUNS && ttft(cell).size() == cell.runs()).toList();
        List<String> slower = new ArrayList<>();
        for (CellSummary cell : judged) {
            double first = ttft(cell).getFirst();
            List<Double> others = ttft(cell).subList(1, cell.runs());
            if (first > limit(others)) {
                slower.add("TTFT mean " + QuantityText.latency(first) + " in the first run, "
                        + QuantityText.latency(Moments.of(others).mean()) + " in the others (" + spec.label(cell.cell())
                        + ")");
            }
        }
        State state = !slower.isEmpty() ? State.WARNING : judged.isEmpty() ? State.NOT_CHECKED : State.MET;
        return fresh.isEmpty() ? Optional.empty()
                : Optional.of(new Condition(Requirement.FIRST_RUN, "first run like the others", state,
                        state == State.NOT_CHECKED ? "fewer than 3 runs" : state == State.MET ? "all"
                                : String.join("; ", slower),
                        state == State.WARNING
                                ? "Its prompts were new to the server; the others repeat them. Give each prompt a"
                                        + " line of its own (vary_prompts)."
                                : ""));
    }

    private static boolean hasNewPrompts(CellSummary cell) {
        List<Double> repeated = values(cell, Metrics.REPEATED_PROMPTS);
        return repeated.size() > 1 && repeated.size() == cell.runs()
                && repeated.getFirst() < Collections.min(repeated.subList(1, repeated.size()));
    }

    private static double limit(List<Double> others) {
        Moments logs = Moments.of(others.stream().map(Math::log).toList());
        double far = TDistribution.of(logs.n() - 1).inverseSurvivalProbability(SIGNIFICANCE)
                * Math.sqrt(logs.variance() * (1 + 1.0 / logs.n()));
        return Math.exp(logs.mean() + Math.max(far, Math.log(LEAST_RATIO)));
    }

    private static List<Double> ttft(CellSummary cell) {
        return values(cell, Metrics.TTFT.mean());
    }

    private static List<Double> values(CellSummary cell, Metric metric) {
        return CellFigures.find(cell.figures(), metric).map(CellFigure::runValues).orElse(List.of());
    }
}
