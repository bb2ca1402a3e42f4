package org.inferometer.measurement;

import java.util.Optional;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Metric;
import org.inferometer.record.Metric.Better;
import org.inferometer.record.Metric.Unit;
import org.jspecify.annotations.Nullable;

/// How a candidate's figure differs from the base's, over runs.
///
/// @param difference candidate's mean less the base's, in the metric's unit
/// @param test absent with fewer than two runs on a side
/// @param family comparisons that were corrected together after Holm; 1 for none
public record Comparison(Metric metric, CellFigure base, CellFigure candidate, double difference,
        @Nullable TestResult test, int family, Outcome outcome) {
    /// The result of the test.
    public enum Outcome {
        /// The candidate is better: faster, less, fewer.
        FASTER,
        /// The candidate is worse.
        SLOWER,
        /// The difference is within the spread between runs.
        NO_DETECTABLE_DIFFERENCE,
        /// Fewer than two runs on a side.
        TOO_FEW_RUNS
    }

    /// @param halfWidth half of the 95 % interval of the difference, in the metric's unit; not corrected
    /// @param smallestDetectable the true difference that is found with 80 % power, in the metric's unit; for a family at the
    ///     confidence that its strictest member must meet
    /// @param pValue corrected for the family
    public record TestResult(double halfWidth, double smallestDetectable, double pValue) {}

    /// The interval, the smallest detectable difference and the p-value.
    public Optional<TestResult> testResult() {
        return Optional.ofNullable(test);
    }

    /// (candidate − base) / base; absent if the base is 0. For memory this is the overhead.
    public Optional<Double> change() {
        return ofBase(difference);
    }

    /// Positive when the candidate is better: (b − a)/a for a throughput, (a − b)/a for a latency and for memory.
    public Optional<Double> improvement() {
        return change().map(change -> metric.better() == Better.HIGHER ? change : -change);
    }

    /// Half of the 95 % interval as a share of the base. The spread of the base is in the interval, not in this divisor.
    public Optional<Double> relativeHalfWidth() {
        return testResult().flatMap(result -> ofBase(result.halfWidth()));
    }

    /// The smallest detectable difference as a share of the base.
    public Optional<Double> relativeSmallestDetectable() {
        return testResult().flatMap(result -> ofBase(result.smallestDetectable()));
    }

    /// The outcome as text: "faster" for times and rates, "less" for memory and counts, else "better".
    public String outcomeText() {
        boolean speed = switch (metric.unit()) {
            case NANOSECONDS, PER_SECOND_REQUESTS, PER_SECOND_TOKENS -> true;
            case FRACTION, BYTES, COUNT, JOULES_PER_TOKEN, PRICE_PER_MILLION_TOKENS, RATIO -> false;
        };
        boolean amount = metric.unit() == Unit.BYTES || metric.unit() == Unit.COUNT;
        return switch (outcome) {
            case FASTER -> speed ? "faster" : amount ? "less" : "better";
            case SLOWER -> speed ? "slower" : amount ? "more" : "worse";
            case NO_DETECTABLE_DIFFERENCE -> "no detectable difference";
            case TOO_FEW_RUNS -> "too few runs";
        };
    }

    private Optional<Double> ofBase(double amount) {
        return base.mean() == 0 ? Optional.empty() : Optional.of(amount / Math.abs(base.mean()));
    }
}
