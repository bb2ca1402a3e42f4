package org.inferometer.report.compare;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.finding.NotJudged;
import org.inferometer.measurement.comparison.Limit;
import org.inferometer.measurement.comparison.Margin;
import org.inferometer.measurement.comparison.MarginCheck.Outcome;
import org.inferometer.report.TextTable;
import org.jspecify.annotations.Nullable;

/// A candidate judged against its base by margins and limits, all checks together.
///
/// @param outcome REGRESSION when any check is one, else NOT_JUDGED when any is, else CANNOT_TELL when any is, else PASS
/// @param differences why the two are not comparable; empty where they are
/// @param remarks standard margins that were left out, with the reason
/// @param cautions that the sides are of two experiments whose variation is not known
public record GateResult(Outcome outcome, List<Check> checks, List<String> differences, List<String> remarks,
        List<String> cautions) {
    /// One margin of one pair, one limit of one cell, or a missing cell; raw values in the metric's unit.
    ///
    /// @param base empty for a limit, and where the cell is missing in the base
    /// @param metric empty for a missing cell
    /// @param margin as written; empty for a missing cell
    /// @param name of the check in JUnit files
    /// @param loss how much worse the candidate is; negative where it is better
    /// @param excess how far beyond the margin or limit that is
    /// @param lossLow lower end of the loss's 95 % interval: a share of the base for a relative margin, else in the metric's unit; absent with
    ///     fewer than two runs on a side
    /// @param pValue one-sided, Holm-corrected over all checks
    /// @param runsToTell runs of each side that would decide an undecided check; absent above 1000
    /// @param reason why a check with its figures was not judged; absent for others
    /// @param text the check without its side
    public record Check(String base, String candidate, String metric, String margin, String name,
            @Nullable Double baseMean, @Nullable Double candidateMean, @Nullable Double loss, @Nullable Double excess,
            @Nullable Double lossLow, @Nullable Double lossHigh, @Nullable Double pValue, @Nullable Integer runsToTell,
            Outcome outcome, @JsonIgnore @Nullable NotJudged reason, @JsonIgnore String text) {
        /// The check as text, with the full name of its side.
        @JsonProperty("sentence")
        public String sentence() {
            return candidate + ": " + text;
        }
    }

    /// A base of one cell is compared with every cell of the candidate, a base of several with the cell of equal label. A cell without a
    /// partner, a missing figure, a side with one run and an INVALID run leave a check that is not judged.
    ///
    /// @param variation between experiments, which the intervals then contain
    public static GateResult of(List<ComparedSide> bases, List<ComparedSide> candidates, GateRules rules,
            KnownVariation variation) {
        GateChecks checks = new GateChecks(bases, candidates, rules, variation);
        List<Check> judged = checks.judged();
        return new GateResult(worst(judged), judged, checks.differences(), checks.remarks(), checks.cautions());
    }

    /// Whether the gate fails.
    ///
    /// @param tolerance which checks do not fail it
    public boolean failed(Tolerance tolerance) {
        return checks.stream().anyMatch(check -> tolerance.fails(check.outcome()))
                || (tolerance.strict() && !remarks.isEmpty());
    }

    /// Which checks fail a gate beside regressions.
    ///
    /// @param strict whether undecided ones do
    /// @param allowMissing whether checks that were not judged do not
    public record Tolerance(boolean strict, boolean allowMissing) {
        boolean fails(Outcome outcome) {
            return switch (outcome) {
                case PASS -> false;
                case REGRESSION -> true;
                case CANNOT_TELL -> strict;
                case NOT_JUDGED -> !allowMissing;
            };
        }
    }

    /// The outcome in capitals: "PASS".
    @JsonIgnore
    public String label() {
        return label(outcome);
    }

    static String label(Outcome outcome) {
        return switch (outcome) {
            case PASS -> "PASS";
            case REGRESSION -> "REGRESSION";
            case CANNOT_TELL -> "UNDECIDED";
            case NOT_JUDGED -> "NOT JUDGED";
        };
    }

    /// The verdict, then one line per check; ends with a line feed.
    ///
    /// @param columns the widest line
    public String text(int columns) {
        StringBuilder out = new StringBuilder(
                label() + ": " + checks.stream().filter(check -> check.outcome() == Outcome.PASS).count() + " of "
                        + checks.size() + " checks passed.\n");
        List<String> lines = new ArrayList<>(
                checks.stream().map(check -> label(check.outcome()) + "  " + check.sentence()).toList());
        lines.addAll(remarks);
        lines.addAll(cautions);
        differences.forEach(difference -> lines.add("Judged with --anyway: " + difference));
        lines.forEach(line -> out.append(TextTable.hanging(line, "  ", columns)));
        long tested = checks.stream().filter(check -> check.pValue() != null).count();
        if (tested > 1) {
            out.append("  Regressions are Holm-corrected for ").append(tested).append(" checks; intervals are not.\n");
        }
        return out.toString();
    }

    private static Outcome worst(List<Check> checks) {
        for (Outcome outcome : List.of(Outcome.REGRESSION, Outcome.NOT_JUDGED, Outcome.CANNOT_TELL)) {
            if (checks.stream().anyMatch(check -> check.outcome() == outcome)) {
                return outcome;
            }
        }
        return Outcome.PASS;
    }

    /// What a gate asks for.
    ///
    /// @param margins against the base
    /// @param standard whether the margins are the standard ones, of which a metric may be missing on both sides
    /// @param limits of the candidate alone
    public record GateRules(List<Margin> margins, boolean standard, List<Limit> limits) {
        /// The margins of a gate without any.
        public static final String STANDARD_MARGINS = "output_throughput=5%, ttft_p50=10%, e2e_p95=10%";

        /// These margins, else the standard ones unless there are limits.
        public static GateRules of(List<Margin> margins, List<Limit> limits) {
            return !margins.isEmpty() || !limits.isEmpty() ? new GateRules(margins, false, limits) : new GateRules(
                    Stream.of(STANDARD_MARGINS.split(", ")).map(Margin::parse).toList(), true, List.of());
        }
    }
}
