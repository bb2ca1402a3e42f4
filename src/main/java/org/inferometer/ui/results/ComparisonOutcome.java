package org.inferometer.ui.results;

import java.util.Optional;
import org.inferometer.report.compare.GateResult;
import org.inferometer.report.compare.ResultComparison;

/// What the window says of two results.
///
/// @param gate empty where the margins have nothing to judge, or may not
/// @param unjudged why there is no gate; empty where there is one
record ComparisonOutcome(ResultComparison comparison, Optional<GateResult> gate, String unjudged) {
    /// Whether some pair is not named better or worse because the two are not comparable.
    boolean unranked() {
        return comparison.pairs().stream().anyMatch(pair -> !pair.ranked());
    }
}
