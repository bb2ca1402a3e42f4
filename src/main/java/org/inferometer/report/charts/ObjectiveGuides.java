package org.inferometer.report.charts;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.measurement.MetricFamily;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.Metric;
import org.inferometer.report.AxisUnit;
import org.inferometer.report.FigureText;
import org.inferometer.report.charts.ChartData.Guide;
import org.inferometer.report.charts.ChartData.Shaded;
import org.inferometer.units.QuantityText;

/// Guides at the limits of a service-level objective.
record ObjectiveGuides(ServiceObjective objective) {
    private static final Pattern PERCENTILE = Pattern.compile("_p(\\d{1,2})$");

    /// The percentile that the objective judges: P90 of TTFT if 90 % of requests must be within a limit of it. Empty without such a metric.
    Optional<Metric> judged() {
        MetricFamily limited =
                objective.ttftNanos().isPresent() ? Metrics.TTFT : objective.e2eNanos().isPresent() ? Metrics.E2E
                        : Metrics.TPOT;
        int percent = (int) Math.round(objective.share() * 100);
        return objective.isEmpty() || !limited.percentiles().contains(percent) ? Optional.empty()
                : Optional.of(limited.percentile(percent));
    }

    /// A guide at the limit of a latency; none where the objective has no such limit, or asks for a higher percentile: a median below a limit
    /// for 90 % tells nothing.
    ///
    /// @param latency the id of its metric: "ttft_p95"
    /// @param vertical at a value of the x axis
    List<Guide> of(String latency, AxisUnit unit, boolean vertical, Shaded shaded) {
        OptionalDouble limit = limit(latency);
        Matcher percentile = PERCENTILE.matcher(latency);
        boolean below = latency.endsWith("_mean")
                || (percentile.find() && Integer.parseInt(percentile.group(1)) < Math.round(objective.share() * 100));
        return limit.isEmpty() || below ? List.of() : List.of(new Guide(vertical, unit.of(limit.getAsDouble()),
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
