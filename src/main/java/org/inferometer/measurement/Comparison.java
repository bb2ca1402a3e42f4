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
/// @param certainty absent with fewer than two runs on a side
/// @param family comparisons that were judged together; above 1 the outcome is corrected after Holm
public record Comparison(Metric metric, CellFigure base, CellFigure candidate, double difference,
        @Nullable Certainty certainty, int family, Outcome outcome) {
    /// What can be said.
    public enum Outcome {
        /// The candidate is better: faster, less, fewer.
        FASTER,
        /// The candidate is worse.
        SLOWER,
        /// A difference, if there is one, is too small to tell from the spread between runs.
        NO_DETECTABLE_DIFFERENCE,
        /// Fewer than two runs on a side: nothing can be said.
        TOO_FEW_RUNS
    }

    /// @param halfWidth half of the 95 % interval of the difference, in the metric's unit; not widened for the family
    /// @param smallestDetectable the true difference that would be found four times in five, in the metric's unit; for a family at
    ///     the confidence that its strictest member must meet
    /// @param pValue corrected for the family
    public record Certainty(double halfWidth, double smallestDetectable, double pValue) {}

    /// The interval and how sure it is.
    public Optional<Certainty> sureness() {
        return Optional.ofNullable(certainty);
    }

    /// (candidate − base) / base; absent where the base is 0. For memory this is the overhead.
    public Optional<Double> change() {
        return ofBase(difference);
    }

    /// Positive when the candidate is better: (b − a)/a for a throughput, (a − b)/a for a latency and for memory.
    public Optional<Double> improvement() {
        return change().map(change -> metric.better() == Better.HIGHER ? change : -change);
    }

    /// Half of the 95 % interval as a share of the base. The base's own spread is in the difference, not in this divisor.
    public Optional<Double> relativeHalfWidth() {
        return sureness().flatMap(sure -> ofBase(sure.halfWidth()));
    }

    /// The smallest detectable difference as a share of the base.
    public Optional<Double> relativeSmallestDetectable() {
        return sureness().flatMap(sure -> ofBase(sure.smallestDetectable()));
    }

    /// The outcome in words that fit the metric: "faster" for times and rates, else "better".
    public String words() {
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
