package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.inferometer.finding.NotJudged;
import org.inferometer.finding.PairCaution;
import org.inferometer.finding.SideDifference;
import org.inferometer.measurement.comparison.Comparison.ShareRange;
import org.inferometer.measurement.comparison.GateCheck;
import org.inferometer.measurement.comparison.Limit;
import org.inferometer.measurement.comparison.LimitCheck;
import org.inferometer.measurement.comparison.Margin;
import org.inferometer.measurement.comparison.MarginCheck;
import org.inferometer.measurement.comparison.MarginCheck.Outcome;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Metric;
import org.inferometer.report.FigureText;
import org.inferometer.report.compare.GateResult.Check;
import org.inferometer.report.compare.GateResult.GateRules;
import org.inferometer.wording.ComparisonWording;
import org.inferometer.wording.Voice;
import org.jspecify.annotations.Nullable;

/// The checks of a gate: each margin on each pair of cells, each limit on each cell of the candidate, each cell without a partner.
final class GateChecks {
    private final GateRules rules;
    private final KnownVariation variation;
    private final List<Tested> tested = new ArrayList<>();
    private final List<Check> missing = new ArrayList<>();
    private final List<SideDifference> differences = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private final List<PairCaution> cautions = new ArrayList<>();

    /// A check before correction.
    private record Tested(@Nullable ComparedSide base, ComparedSide candidate, GateCheck check) {
        boolean invalid() {
            return candidate.invalid() || (base != null && base.invalid());
        }
    }

    GateChecks(List<ComparedSide> bases, List<ComparedSide> candidates, GateRules rules, KnownVariation variation) {
        this.rules = rules;
        this.variation = variation;
        for (ComparedSide candidate : candidates) {
            Optional<ComparedSide> base = candidate.matchIn(bases);
            if (base.isPresent()) {
                margins(base.get(), candidate);
            } else {
                missing.add(cell("", candidate.name(), "no matching cell in the base"));
            }
            rules.limits().forEach(limit -> limit(limit, candidate));
        }
        if (bases.size() > 1 && !candidates.isEmpty()) {
            bases.stream().filter(base -> candidates.stream().noneMatch(side -> side.label().equals(base.label())))
                    .forEach(base -> missing.add(cell(base.name(), base.name(), "no matching cell in the candidate")));
        }
    }

    List<String> differences() {
        return differences.stream().map(ComparisonWording::sentence).toList();
    }

    /// Sentences about sides of two experiments whose variation is not known.
    List<String> cautions() {
        return cautions.stream().map(caution -> ComparisonWording.sentence(caution, name -> name, Voice.COMMAND_LINE))
                .toList();
    }

    List<String> remarks() {
        return List.copyOf(remarks);
    }

    /// The checks that were tested, corrected together, then those that could not be.
    List<Check> judged() {
        List<GateCheck> judged = GateCheck.together(tested.stream().map(Tested::check).toList());
        List<Check> checks = new ArrayList<>();
        for (int i = 0; i < judged.size(); i++) {
            checks.add(check(tested.get(i), judged.get(i)));
        }
        checks.addAll(missing);
        return List.copyOf(checks);
    }

    private void margins(ComparedSide base, ComparedSide candidate) {
        if (variation.between(base, candidate).isEmpty()) {
            KnownVariation.caution(base, candidate, List.of()).filter(each -> !cautions.contains(each))
                    .ifPresent(cautions::add);
        }
        SideDifferences.of(base, candidate).stream().filter(each -> !differences.contains(each))
                .forEach(differences::add);
        for (Margin margin : rules.margins()) {
            Optional<CellFigure> before = base.figure(margin.metric());
            Optional<CellFigure> after = candidate.figure(margin.metric());
            String what = margin.metric().label() + " is missing ";
            if (before.isPresent() && after.isPresent()) {
                tested.add(new Tested(base, candidate,
                        margin.check(before.get(), after.get(), variation.between(base, candidate))));
            } else if (rules.standard() && before.isEmpty() && after.isEmpty()) {
                remarks.add(candidate.name() + ": " + what + "on both sides, standard margin left out.");
            } else {
                missing.add(figure(base, candidate, margin,
                        what + (before.isPresent() ? "in the candidate" : after.isPresent() ? "in the base"
                                : "on both sides")));
            }
        }
    }

    private void limit(Limit limit, ComparedSide candidate) {
        candidate.figure(limit.metric()).ifPresentOrElse(
                figure -> tested.add(new Tested(null, candidate, limit.check(figure))),
                () -> missing.add(missing("", candidate.name(), limit.metric().id(), limit.written(), name(limit),
                        limit.metric().label() + " is missing")));
    }

    private static Check cell(String base, String candidate, String why) {
        return missing(base, candidate, "", "", "cell is on both sides", why);
    }

    private static Check figure(ComparedSide base, ComparedSide candidate, Margin margin, String why) {
        return missing(base.name(), candidate.name(), margin.metric().id(), margin.written(), name(margin, base), why);
    }

    private static Check missing(String base, String candidate, String metric, String margin, String name, String why) {
        return new Check(base, candidate, metric, margin, name, null, null, null, null, null, null, null, null,
                Outcome.NOT_JUDGED, null, why + ", not judged.");
    }

    private static String name(Margin margin, ComparedSide base) {
        return margin.metric().id() + " within " + margin.amountText() + " of " + base.name();
    }

    private static String name(Limit limit) {
        return limit.metric().id() + " " + limit.text();
    }

    private static Check check(Tested test, GateCheck judged) {
        NotJudged reason =
                test.invalid() ? NotJudged.INVALID_RUN : judged.pValue() == null ? NotJudged.TOO_FEW_RUNS : null;
        Outcome outcome = reason != null ? Outcome.NOT_JUDGED : judged.outcome();
        String why = reason != null ? ". Not judged: " + ComparisonWording.clause(reason)
                : outcome == Outcome.CANNOT_TELL ? ". Undecided: " + remedy(judged.runsToTell())
                : "";
        return switch (judged) {
            case MarginCheck check -> {
                ComparedSide base = Objects.requireNonNull(test.base());
                Optional<ShareRange> loss = Optional.ofNullable(check.lossInterval());
                yield new Check(base.name(), test.candidate().name(), check.margin().metric().id(),
                        check.margin().written(), name(check.margin(), base), check.base().mean(),
                        check.candidate().mean(), check.loss(), check.excess(), loss.map(ShareRange::low).orElse(null),
                        loss.map(ShareRange::high).orElse(null), check.pValue(), check.runsToTell(), outcome, reason,
                        text(check) + why + ".");
            }
            case LimitCheck check -> new Check("", test.candidate().name(), check.limit().metric().id(),
                    check.limit().written(), name(check.limit()), null, check.candidate().mean(), null, check.excess(),
                    null, null, check.pValue(), check.runsToTell(), outcome, reason, text(check) + why + ".");
        };
    }

    private static String remedy(@Nullable Integer runsToTell) {
        return "the interval includes the margin; "
                + (runsToTell == null ? "more than 1000 runs would be needed, choose another margin"
                        : "about " + runsToTell + " runs of each side would tell");
    }

    private static String text(MarginCheck check) {
        Metric metric = check.margin().metric();
        List<String> means = FigureText.means(check.base(), check.candidate());
        String change = check.relativeLoss().map(loss -> String.format(Locale.ROOT, ", %.1f %% %s%s",
                Math.abs(loss) * 100, loss > 0 ? "worse" : "better", interval(check, loss))).orElse("");
        return metric.label() + " " + means.get(0) + " to " + means.get(1) + unit(metric) + change + " (margin "
                + check.margin().amountText() + ")";
    }

    /// " [22.0, 24.2]", in the direction of the change; empty for an amount.
    private static String interval(MarginCheck check, double loss) {
        ShareRange range = check.lossInterval();
        if (range == null || !check.margin().relative()) {
            return "";
        }
        double low = loss > 0 ? range.low() : -range.high();
        double high = loss > 0 ? range.high() : -range.low();
        return " [" + FigureText.percent(low) + ", " + FigureText.percent(high) + "]";
    }

    private static String text(LimitCheck check) {
        Metric metric = check.limit().metric();
        return metric.label() + " " + FigureText.figure(Optional.of(check.candidate())) + unit(metric) + " (limit: "
                + check.limit().text() + ")";
    }

    private static String unit(Metric metric) {
        String unit = FigureText.unit(metric.unit());
        return unit.isEmpty() ? "" : " " + unit;
    }
}
