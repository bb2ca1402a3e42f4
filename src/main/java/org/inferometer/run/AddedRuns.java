package org.inferometer.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.measurement.verdict.ExperimentSummary;
import org.inferometer.measurement.verdict.RunPrecision;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;

/// Adds rounds of runs, one run of every cell each, until the intervals are as narrow as asked, or to the most runs. Looks at the runs only after
/// the rounds of [ExperimentSpec#looks], so that the intervals can allow for the number of looks.
final class AddedRuns implements RunQueue {
    private final ExperimentManifest planned;
    private final RunPrecision precision;
    private final IntFunction<List<Integer>> order;
    private final Planning planning;

    /// @param planned names the specification; its cells are summarised at each look
    /// @param order of the cells in a round
    AddedRuns(ExperimentManifest planned, RunPrecision precision, IntFunction<List<Integer>> order, Planning planning) {
        this.planned = planned;
        this.precision = precision;
        this.order = order;
        this.planning = planning;
    }

    @Override
    public Optional<RunPlan> next(List<RunRecord> ended) throws EngineFormatException {
        int cells = order.apply(0).size();
        int round = ended.size() / cells;
        int place = ended.size() % cells;
        List<Integer> looks = planned.spec().looks();
        if (place == 0 && (round >= looks.getLast() || (looks.contains(round)
                && precision.isReached(ExperimentSummary.of(planned, new ArrayList<>(ended)).cells())))) {
            return Optional.empty();
        }
        return Optional.of(planning.plan(ended.size(), order.apply(round).get(place), round));
    }
}
