package org.inferometer.report.charts;

import java.util.Optional;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.AxisUnit;
import org.inferometer.units.QuantityText;

/// Finds the request behind a value of a chart.
///
/// It reads the records when called, so a chart of millions of requests holds no index. Thread-safe.
public interface RequestLookup {
    /// Of a chart whose values are not those of requests.
    RequestLookup NONE = (series, value) -> Optional.empty();

    /// The request with the value nearest to a given one; the first of equal ones.
    ///
    /// @param series name of its line, or of the category of its box
    /// @param value in the unit of the axis
    Optional<ChartRequest> nearest(String series, double value);

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
}
