package org.inferometer.report.compare;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.inferometer.measurement.Comparison.ShareRange;
import org.inferometer.measurement.Margin;
import org.inferometer.measurement.MarginCheck;
import org.inferometer.measurement.MarginCheck.Outcome;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Metric;
import org.inferometer.report.FigureText;
import org.inferometer.report.TextTable;
import org.jspecify.annotations.Nullable;

/// A candidate judged against its base by margins, all checks together.
///
/// @param outcome REGRESSION when any check is one, else CANNOT_TELL when any is, else PASS
/// @param differences why the two are not comparable; empty where they are
/// @param remarks figures and cells that were not judged, with the reason
public record GateResult(Outcome outcome, List<Check> checks, List<String> differences, List<String> remarks) {
    /// The margins of a gate without any.
    public static final String STANDARD_MARGINS = "output_throughput=5%, ttft_p50=10%, e2e_p95=10%";

    /// One margin of one pair; raw values in the metric's unit.
    ///
    /// @param loss how much worse the candidate is; negative where it is better
    /// @param excess how far beyond the margin that is
    /// @param lossLow lower end of the loss's 95 % interval: a share of the base for a relative margin, else in the metric's unit; absent with
    ///     fewer than two runs on a side
    /// @param pValue one-sided, Holm-corrected over all checks
    /// @param sentence the check as text
    public record Check(String base, String candidate, String metric, String margin, double baseMean,
            double candidateMean, double loss, double excess, @Nullable Double lossLow, @Nullable Double lossHigh,
            @Nullable Double pValue, @Nullable Integer runsToTell, Outcome outcome, String sentence) {}

    /// A check before correction.
    private record PairedCheck(ComparedSide base, ComparedSide candidate, MarginCheck check) {}

    /// A base of one cell is compared with every cell of the candidate, a base of several with the cell of equal label. An INVALID run
    /// leaves its checks undecided.
    public static GateResult of(List<ComparedSide> bases, List<ComparedSide> candidates, List<Margin> margins) {
        List<PairedCheck> paired = new ArrayList<>();
        List<String> differences = new ArrayList<>();
        List<String> remarks = new ArrayList<>();
        for (ComparedSide candidate : candidates) {
            Optional<ComparedSide> base = candidate.matchIn(bases);
            if (base.isEmpty()) {
                remarks.add(candidate.name() + ": no matching cell in the base, not judged.");
                continue;
            }
            candidate.differencesFrom(base.get()).stream().filter(each -> !differences.contains(each))
                    .forEach(differences::add);
            for (Margin margin : margins) {
                Optional<CellFigure> before = base.get().figure(margin.metric());
                Optional<CellFigure> after = candidate.figure(margin.metric());
                if (before.isPresent() && after.isPresent()) {
                    paired.add(new PairedCheck(base.get(), candidate, margin.check(before.get(), after.get())));
                } else {
                    remarks.add(
                            candidate.name() + ": " + margin.metric().label() + " is missing on one side, not judged.");
                }
            }
        }
        if (bases.size() > 1) {
            bases.stream().filter(
                    base -> candidates.stream().noneMatch(side -> side.cell().label().equals(base.cell().label())))
                    .forEach(base -> remarks.add(base.name() + ": no matching cell in the candidate."));
        }
        List<MarginCheck> judged = MarginCheck.together(paired.stream().map(PairedCheck::check).toList());
        List<Check> checks = new ArrayList<>();
        for (int i = 0; i < judged.size(); i++) {
            checks.add(check(paired.get(i), judged.get(i)));
        }
        return new GateResult(worst(checks), List.copyOf(checks), List.copyOf(differences), List.copyOf(remarks));
    }

    /// Whether the gate fails.
    ///
    /// @param strict whether undecided checks fail it too
    public boolean failed(boolean strict) {
        return outcome == Outcome.REGRESSION || (strict && outcome != Outcome.PASS) || (strict && !remarks.isEmpty());
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
        differences.forEach(difference -> lines.add("Judged with --anyway: " + difference));
        lines.forEach(line -> out.append(TextTable.hanging(line, "  ", columns)));
        if (checks.size() > 1) {
            out.append("  Regressions are Holm-corrected for ").append(checks.size())
                    .append(" checks; intervals are not.\n");
        }
        return out.toString();
    }

    private static Check check(PairedCheck pair, MarginCheck judged) {
        boolean invalid = pair.base().invalid() || pair.candidate().invalid();
        Outcome outcome = invalid ? Outcome.CANNOT_TELL : judged.outcome();
        return new Check(pair.base().name(), pair.candidate().name(), judged.margin().metric().id(),
                judged.margin().written(), judged.base().mean(), judged.candidate().mean(), judged.loss(),
                judged.excess(), Optional.ofNullable(judged.lossInterval()).map(ShareRange::low).orElse(null),
                Optional.ofNullable(judged.lossInterval()).map(ShareRange::high).orElse(null), judged.pValue(),
                judged.runsToTell(), outcome, sentence(pair, judged, invalid));
    }

    private static String sentence(PairedCheck pair, MarginCheck check, boolean invalid) {
        Metric metric = check.margin().metric();
        String unit = FigureText.unit(metric.unit());
        List<String> means = FigureText.means(check.base(), check.candidate());
        String change = check.relativeLoss().map(
                loss -> String.format(Locale.ROOT, ", %.1f %% %s", Math.abs(loss) * 100, loss > 0 ? "worse" : "better"))
                .orElse("");
        String why = "";
        if (invalid) {
            why = ". Undecided: a run is INVALID";
        } else if (check.pValue() == null) {
            why = ". Undecided: each side needs 2 runs or more";
        } else if (check.outcome() == Outcome.CANNOT_TELL) {
            why = ". Undecided: the interval includes the margin, add runs";
        }
        return pair.candidate().name() + ": " + metric.label() + " " + means.get(0) + " to " + means.get(1)
                + (unit.isEmpty() ? "" : " " + unit) + change + " (margin "
                + check.margin().written().replaceFirst(".*=", "") + ")" + why + ".";
    }

    private static Outcome worst(List<Check> checks) {
        if (checks.stream().anyMatch(check -> check.outcome() == Outcome.REGRESSION)) {
            return Outcome.REGRESSION;
        }
        return checks.stream().allMatch(check -> check.outcome() == Outcome.PASS) ? Outcome.PASS : Outcome.CANNOT_TELL;
    }
}
