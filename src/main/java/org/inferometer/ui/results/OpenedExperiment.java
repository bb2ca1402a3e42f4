package org.inferometer.ui.results;

import java.util.List;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.CellExplanation;
import org.inferometer.report.Findings;
import org.inferometer.report.SchedulerExplanations;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ExperimentCharts;
import org.inferometer.scheduling.SchedulerRegistry;

/// An experiment that was read in full, with its findings and charts.
///
/// @param findings the answer first
/// @param leading the charts that answer first
/// @param charts as many as the record supports, the leading ones first
/// @param explanations one per cell, in the order of the cells
public record OpenedExperiment(ResultRow.Origin origin, ExperimentRecord record, List<String> findings,
        List<ChartData> leading, List<ChartData> charts, List<CellExplanation> explanations) {
    /// Evaluates a record; takes a moment for a large one.
    static OpenedExperiment of(ResultRow.Origin origin, ExperimentRecord record, SchedulerRegistry schedulers) {
        ExperimentCharts charts = new ExperimentCharts(record);
        return new OpenedExperiment(origin, record, Findings.of(record), charts.leading(), charts.all(),
                SchedulerExplanations.of(record, schedulers));
    }
}
