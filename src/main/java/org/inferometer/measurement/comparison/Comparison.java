package org.inferometer.measurement.comparison;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.inferometer.measurement.statistics.MeanDifference;
import org.inferometer.measurement.statistics.TestPower;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Metric;
import org.inferometer.record.Metric.Better;
import org.jspecify.annotations.Nullable;

/// How a candidate's figure differs from the base's, over runs. Times, rates and amounts are compared by their ratio, shares and counts by
/// their difference.
///
/// @param relative candidate / base − 1: of geometric means over the compared runs, or of means for shares and counts; absent if the base
///     is 0
/// @param test absent with fewer than two runs on a side
/// @param family comparisons that were corrected together after Holm; 1 for none
public record Comparison(Metric metric, CellFigure base, CellFigure candidate, Pairing pairing,
        @Nullable Double relative, @Nullable TestResult test, int family, Outcome outcome) {
    /// The result of the test.
    public enum Outcome {
        /// The candidate is better: faster, less, fewer.
        FASTER,
        /// The candidate is worse.
        SLOWER,
        /// The difference is within the spread between runs.
        NO_DETECTABLE_DIFFERENCE,
        /// Fewer than two runs on a side.
        TOO_FEW_RUNS,
        /// The load decides the figure of both sides: neither is faster.
        SET_BY_LOAD,
        /// A side has an INVALID run.
        NOT_RANKED
    }

    /// Which runs were compared.
    ///
    /// @param pairs pairs of runs with the same seed; 0 if all runs of both sides were compared as two samples (Welch)
    /// @param leftOut runs of either side without a partner, which did not enter
    /// @param widened whether the interval contains the variation between experiments
    /// @param looks at the runs to decide on more, under which interval and result hold
    public record Pairing(int pairs, int leftOut, boolean widened, int looks) {
        static Pairing of(RunPairs runs) {
            return new Pairing(runs.paired() ? runs.base().size() : 0, runs.leftOut(), runs.between() != null,
                    runs.looks());
        }

        /// How the runs of tested comparisons were paired, each way once.
        public static List<String> texts(List<Comparison> comparisons) {
            return comparisons.stream().filter(each -> each.testResult().isPresent()).map(each -> each.pairing().text())
                    .distinct().toList();
        }

        /// "Paired by seed (5 pairs; 1 run without a partner left out)."
        public String text() {
            String repeated =
                    looks == 1 ? "" : " Intervals and results hold under " + looks + " looks at independent runs.";
            String alone = leftOut == 0 ? ""
                    : "; " + leftOut + (leftOut == 1 ? " run" : " runs") + " without a partner left out";
            return (pairs == 0 ? "Not paired: fewer than " + RunPairs.LEAST_PAIRS + " shared seeds (Welch's interval)."
                    : "Paired by seed (" + pairs + " pairs" + alone + ").") + repeated;
        }
    }

    /// @param interval the 95 % interval of candidate / base − 1; not corrected; absent if the base is 0
    /// @param error standard error of the logarithm of the ratio, or of the difference as a share of the base; absent if the base is 0
    /// @param degreesOfFreedom of the standard error
    /// @param logs whether the ratio was tested, else the difference
    /// @param pValue corrected for the family
    public record TestResult(@Nullable ShareRange interval, @Nullable Double error, double degreesOfFreedom,
            boolean logs, double pValue) {}

    /// A range of a share.
    public record ShareRange(double low, double high) {}

    /// The same figures without an outcome: a side has an INVALID run.
    public Comparison unranked() {
        return new Comparison(metric, base, candidate, pairing, relative, test, family, Outcome.NOT_RANKED);
    }

    /// The same figures with a p-value corrected for a larger family; a difference that does not hold is none.
    Comparison corrected(double pValue, int largerFamily) {
        TestResult before = testResult().orElseThrow();
        TestResult after =
                new TestResult(before.interval(), before.error(), before.degreesOfFreedom(), before.logs(), pValue);
        return new Comparison(metric, base, candidate, pairing, relative, after, largerFamily,
                pValue > Comparisons.SIGNIFICANCE ? Outcome.NO_DETECTABLE_DIFFERENCE : outcome);
    }

    /// The interval, the smallest detectable difference and the p-value.
    public Optional<TestResult> testResult() {
        return Optional.ofNullable(test);
    }

    /// Candidate's mean less the base's over all runs, in the metric's unit.
    public double difference() {
        return candidate.mean() - base.mean();
    }

    /// Candidate / base − 1; absent if the base is 0. For memory this is the overhead.
    public Optional<Double> change() {
        return Optional.ofNullable(relative);
    }

    /// The 95 % interval of the change.
    public Optional<ShareRange> changeInterval() {
        return testResult().flatMap(result -> Optional.ofNullable(result.interval()));
    }

    /// Candidate / base of each pair of runs with the same seed, in the order of the candidate's runs; empty if the runs were not paired.
    /// Pairs with a figure of 0 have no ratio.
    public double[] runRatios() {
        RunPairs runs = RunPairs.of(base, candidate);
        return !runs.paired() ? new double[0]
                : IntStream.range(0, runs.base().size())
                        .filter(pair -> runs.base().get(pair) > 0 && runs.candidate().get(pair) > 0)
                        .mapToDouble(pair -> runs.candidate().get(pair) / runs.base().get(pair)).toArray();
    }

    /// Positive when the candidate is better: (b − a)/a for a throughput, (a − b)/a for a latency and for memory.
    public Optional<Double> improvement() {
        return change().map(change -> higherIsBetter() ? change : -change);
    }

    /// The 95 % interval of the improvement.
    public Optional<ShareRange> improvementInterval() {
        return changeInterval()
                .map(change -> higherIsBetter() ? change : new ShareRange(-change.high(), -change.low()));
    }

    /// The true difference, as a share of the base, that 4 of 5 experiments like this find ([TestPower]); for a family at the confidence that
    /// its strictest member must meet.
    public Optional<Double> relativeSmallestDetectable() {
        return testResult().flatMap(result -> Optional.ofNullable(result.error()).map(error -> {
            double least = error == 0 ? 0 : error * TestPower.detectable(result.degreesOfFreedom(),
                    Comparisons.SIGNIFICANCE / family / pairing.looks(), Comparisons.POWER);
            return result.logs() ? Math.expm1(least) : least;
        }));
    }

    /// Runs of each side that find a true difference in 4 of 5 experiments if the spread stays as it is; absent above 1000, without a test, and
    /// for shares and counts.
    ///
    /// @param share of the base
    public OptionalInt runsToFind(double share) {
        RunPairs runs = RunPairs.of(base, candidate);
        Optional<MeanDifference> difference = runs.logs() ? runs.difference() : Optional.empty();
        return difference.isEmpty() ? OptionalInt.empty()
                : runs.runsToFind(RunPairs.LEAST_PAIRS, difference.get(), Math.log1p(share));
    }

    /// The outcome as text: "faster" for times and rates, "less" for memory and counts, else "better".
    public String outcomeText() {
        return switch (outcome) {
            case FASTER -> word(true);
            case SLOWER -> word(false);
            case NO_DETECTABLE_DIFFERENCE -> "no detectable difference";
            case TOO_FEW_RUNS -> "too few runs";
            case SET_BY_LOAD -> "set by the load";
            case NOT_RANKED -> "not ranked";
        };
    }

    /// On which side the candidate's mean is: "faster", "more". Unranked it is "higher" or "lower"; empty if nothing differs detectably.
    public String directionText() {
        return switch (outcome) {
            case FASTER, SLOWER -> outcomeText();
            case TOO_FEW_RUNS -> improvement().map(gain -> gain == 0 ? "" : word(gain > 0)).orElse("");
            case NOT_RANKED -> change().map(each -> each == 0 ? "" : each > 0 ? "higher" : "lower").orElse("");
            case NO_DETECTABLE_DIFFERENCE, SET_BY_LOAD -> "";
        };
    }

    private String word(boolean better) {
        return switch (metric.unit()) {
            case NANOSECONDS, PER_SECOND_REQUESTS, PER_SECOND_TOKENS -> better ? "faster" : "slower";
            case BYTES, COUNT -> better ? "less" : "more";
            case FRACTION, JOULES_PER_TOKEN, WATTS, PRICE_PER_MILLION_TOKENS, RATIO -> better ? "better" : "worse";
        };
    }

    private boolean higherIsBetter() {
        return metric.better() == Better.HIGHER;
    }
}
