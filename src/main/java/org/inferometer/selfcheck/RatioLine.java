package org.inferometer.selfcheck;

import java.util.OptionalDouble;
import org.inferometer.execution.backend.BackendRatio;
import org.inferometer.record.SelfCheckResult;

/// A backend's ratio as a line of the self-check.
final class RatioLine {
    private RatioLine() {}

    /// @param engine that it was taken on; empty where on none
    static SelfCheckResult of(String engine, BackendRatio ratio) {
        OptionalDouble limit = ratio.limit();
        return new SelfCheckResult(ratio.id() + (engine.isEmpty() ? "" : "_" + engine.replaceAll("[^a-z0-9]+", "_")),
                ratio.name() + (engine.isEmpty() ? "" : ", " + engine),
                Double.isFinite(ratio.value()) ? Double.valueOf(ratio.value()) : null, ratio.unit(),
                limit.isEmpty() ? SelfCheckResult.Bound.NONE : ratio.higherIsBetter() ? SelfCheckResult.Bound.AT_LEAST
                        : SelfCheckResult.Bound.AT_MOST,
                limit.isEmpty() ? null : Double.valueOf(limit.getAsDouble()),
                ratio.held() ? SelfCheckResult.State.PASSED : SelfCheckResult.State.FAILED, ratio.sentence());
    }
}
