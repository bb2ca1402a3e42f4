package org.inferometer.report;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.RunRecord;

/// What the rules of [SchedulerInsights] look at: the figures of a cell and how busy each of its lanes was.
///
/// @param figures by metric id
/// @param lanes the lanes that compute, by number
record CellFacts(Map<String, CellFigure> figures, List<LaneShare> lanes) {
    /// The facts of a cell, its lanes averaged over its runs.
    static CellFacts of(CellSummary cell, List<RunRecord> runs) {
        Map<String, CellFigure> figures =
                cell.figures().stream().collect(Collectors.toMap(figure -> figure.metric().id(), Function.identity()));
        return new CellFacts(figures, LaneShare.computing(runs));
    }

    /// The mean of a figure over the runs, raw.
    Optional<Double> mean(String metricId) {
        return Optional.ofNullable(figures.get(metricId)).map(CellFigure::mean);
    }
}
