package org.inferometer.report.charts;

import java.util.List;
import java.util.OptionalDouble;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.report.AxisUnit;
import org.inferometer.report.FigureText;
import org.inferometer.report.charts.ChartData.Guide;
import org.inferometer.report.charts.ChartData.Shaded;
import org.inferometer.units.QuantityText;

/// Guides at the limits of a service-level objective.
record ObjectiveGuides(ServiceObjective objective) {
    /// A guide at the limit of a latency; none where the objective has no such limit.
    ///
    /// @param latency the id of its metric: "ttft_p95"
    /// @param vertical at a value of the x axis
    List<Guide> of(String latency, AxisUnit unit, boolean vertical, Shaded shaded) {
        OptionalDouble limit = limit(latency);
        return limit.isEmpty() ? List.of() : List.of(new Guide(vertical, unit.of(limit.getAsDouble()),
                "limit " + QuantityText.significant(unit.of(limit.getAsDouble())) + " " + unit.label(), shaded));
    }

    /// A guide at the share of requests that must be within the limits, in per cent.
    Guide goal() {
        double percent = objective.share() * 100;
        return new Guide(false, percent, "goal " + FigureText.percent(objective.share()) + " %", Shaded.NONE);
    }

    /// The limit of a latency, by the id of its metric.
    OptionalDouble limit(String id) {
        return id.startsWith("ttft") ? objective.ttftNanos() : id.startsWith("tpot") ? objective.tpotNanos()
                : id.startsWith("e2e") ? objective.e2eNanos()
                : OptionalDouble.empty();
    }
}
