package org.inferometer.report.charts;

import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.AxisUnit;
import org.inferometer.units.QuantityText;

/// A request behind a value of a chart.
///
/// @param run index among the runs of the experiment
/// @param request its id in the run
/// @param latency name of the latency: "TTFT"
/// @param value in the unit
public record ChartRequest(ExperimentRecord experiment, int run, int request, String latency, double value,
        AxisUnit unit) {
    /// "request 381, TTFT 212 ms, run 2".
    public String describe() {
        return "request " + request + ", " + latency + " " + QuantityText.significant(value) + " " + unit.label()
                + ", run " + (experiment.runs().get(run).manifest().plan().index().run() + 1);
    }
}
