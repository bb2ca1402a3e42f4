package org.inferometer.ui.results;

import java.util.List;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RunRecord;
import org.inferometer.report.Finding;
import org.inferometer.report.ReportTable;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ExperimentCharts;
import org.inferometer.report.compare.Findings;
import org.inferometer.report.compare.SchedulerExplanations;
import org.inferometer.report.compare.SchedulerExplanations.CellExplanation;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.wording.Voice;

/// An experiment that was read in full, with its findings and charts.
///
/// @param findings the answer first
/// @param leading the charts that answer first
/// @param tables of the summary
/// @param explanations one per cell, in the order of the cells
/// @param ended how the requests of each run ended, in the order of the runs
public record OpenedExperiment(ResultRow.Origin origin, ExperimentRecord record, List<Finding> findings,
        List<ChartData> leading, List<ReportTable> tables, List<CellExplanation> explanations, List<Ended> ended) {
    /// Requests of a run without warm-up.
    record Ended(int measured, int ok) {
        static Ended of(RunRecord run) {
            RequestColumns requests = run.observations().requests();
            return new Ended(requests.count(i -> !requests.warmUp(i)),
                    requests.count(i -> !requests.warmUp(i) && requests.ok(i)));
        }
    }

    /// Evaluates a record; takes a moment for a large one.
    static OpenedExperiment of(ResultRow.Origin origin, ExperimentRecord record, SchedulerRegistry schedulers) {
        return new OpenedExperiment(origin, record, Findings.withCharts(record, Voice.WINDOW),
                new ExperimentCharts(record).leading(), DetailPane.comparison(record.manifest()),
                SchedulerExplanations.of(record, schedulers), record.runs().stream().map(Ended::of).toList());
    }

    /// As many charts as the record supports, the leading ones first. Made with each call, which takes a moment for a large record.
    public List<ChartData> charts() {
        return new ExperimentCharts(record).all();
    }
}
