package org.inferometer.ui.results;

import java.util.List;
import java.util.Optional;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.compare.GateResult;
import org.inferometer.report.compare.ResultComparison;
import org.inferometer.report.compare.SideNames;

/// The comparison of two results.
///
/// @param charts the most important first
/// @param gate empty when nothing can be checked
/// @param unjudged why there is no gate result; empty otherwise
record ComparisonOutcome(ResultComparison comparison, List<ChartData> charts, Optional<GateResult> gate,
        String unjudged) {
    /// "INT4 against FP8"; empty without pairs.
    Optional<String> title() {
        return comparison.pairs().isEmpty() ? Optional.empty() : Optional.of(SideNames.title(comparison.pairs()));
    }
}
