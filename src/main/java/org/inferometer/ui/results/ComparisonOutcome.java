package org.inferometer.ui.results;

import java.util.Optional;
import org.inferometer.report.compare.GateResult;
import org.inferometer.report.compare.ResultComparison;

/// The comparison of two results.
///
/// @param gate empty when nothing can be checked
/// @param unjudged why there is no gate result; empty otherwise
record ComparisonOutcome(ResultComparison comparison, Optional<GateResult> gate, String unjudged) {
    /// Whether a pair is not ranked because it is not comparable.
    boolean unranked() {
        return comparison.pairs().stream().anyMatch(pair -> !pair.ranked());
    }
}
