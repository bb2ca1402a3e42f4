package org.inferometer.report.charts;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.comparison.Comparison;
import org.inferometer.measurement.comparison.Comparison.Outcome;
import org.inferometer.measurement.comparison.Comparison.Pairing;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Metric;
import org.inferometer.report.FigureText;
import org.inferometer.report.RatioText;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.Ratio;
import org.inferometer.report.charts.ChartData.Span;
import org.inferometer.report.charts.ChartData.Tone;
import org.inferometer.report.compare.ComparedCell;
import org.inferometer.report.compare.QuantisationImpact;
import org.inferometer.report.compare.QuantisationImpact.Group;
import org.inferometer.report.compare.ResultComparison;
import org.inferometer.report.compare.ResultComparison.ComparedFigure;
import org.inferometer.report.compare.ResultComparison.Pair;
import org.inferometer.report.compare.SideNames;
import org.inferometer.units.LetterCase;
import org.inferometer.units.QuantityText;

/// Ratios to the base with their intervals. One pair has one chart with a row a metric. Several pairs have a chart a metric with a row a pair:
/// what is compared then shares an axis.
///
/// @param names of the sides
record RatioCharts(List<Pair> pairs, SideNames names) {
    private static final int MOST_ROWS = 8;

    /// Metrics of which the first that exists is shown.
    ///
    /// @param label a name of few letters: the ratios need the width
    private record Shown(String id, String label, List<Metric> metrics) {
        Optional<ComparedFigure> in(Pair pair) {
            return metrics.stream().flatMap(
                    metric -> pair.figures().stream().filter(figure -> figure.metric().equals(metric.id())).limit(1))
                    .findFirst();
        }

        /// The label, or the substitute's own.
        String name(ComparedFigure figure) {
            return figure.metric().equals(metrics.getFirst().id()) ? label : figure.label();
        }
    }

    private static final List<Shown> SHOWN = List.of(
            new Shown("output-throughput", "Output tok/s",
                    List.of(Metrics.OUTPUT_THROUGHPUT, Metrics.TOTAL_THROUGHPUT)),
            new Shown("request-throughput", "Requests/s", List.of(Metrics.REQUEST_THROUGHPUT)),
            new Shown("goodput", "Goodput", List.of(Metrics.GOODPUT)),
            new Shown("ttft-p50", "TTFT P50",
                    List.of(Metrics.TTFT.p50(), Metrics.SERVICE_TTFT.p50(), Metrics.SERVICE_TTFT.mean(),
                            Metrics.PREFILL_LATENCY.mean())),
            new Shown("ttft-p95", "TTFT P95", List.of(Metrics.TTFT.p95(), Metrics.SERVICE_TTFT.p95())),
            new Shown("itl-p50", "ITL P50",
                    List.of(Metrics.ITL.p50(), Metrics.INTER_CHUNK.p50(), Metrics.TPOT.p50(), Metrics.TPOT.mean(),
                            Metrics.DECODE_LATENCY.mean())),
            new Shown("itl-p95", "ITL P95", List.of(Metrics.ITL.p95(), Metrics.INTER_CHUNK.p95())),
            new Shown("e2e-p95", "E2E P95", List.of(Metrics.E2E.p95(), Metrics.SERVICE_E2E.p95())),
            new Shown("model-memory", "Weights + KV", List.of(Metrics.MODEL_MEMORY_PEAK)),
            new Shown("memory", "Memory in all", List.of(Metrics.MEMORY_PEAK_TOTAL, Metrics.MEMORY_MEAN_TOTAL)));
    /// One chart each where there are several pairs.
    private static final List<String> OF_SEVERAL =
            List.of("output-throughput", "ttft-p50", "itl-p50", "e2e-p95", "model-memory");

    /// One pair: one chart. Several: one a metric, those with more differences first. Empty without figures.
    List<ChartData> all() {
        if (pairs.size() == 1) {
            Pair pair = pairs.getFirst();
            List<Ratio> rows = new ArrayList<>();
            SHOWN.forEach(shown -> shown.in(pair)
                    .ifPresent(figure -> rows.add(row(shown.name(figure), pair.ranked(), figure.comparison()))));
            String base = names.of(pair.baseSide());
            return rows.isEmpty() ? List.of() : List
                    .of(chart("ratios", "Ratio to " + base, names.of(pair.candidateSide()) + " / " + base, rows, ""));
        }
        return SHOWN.stream().filter(shown -> OF_SEVERAL.contains(shown.id())).flatMap(shown -> ofPairs(shown).stream())
                .sorted(Comparator.comparingLong(RatioCharts::differences).reversed()).toList();
    }

    private static long differences(ChartData chart) {
        return ((Marks.Ratios) chart.marks()).rows().stream().filter(row -> row.tone() != Tone.NEUTRAL).count();
    }

    private Optional<ChartData> ofPairs(Shown shown) {
        List<Pair> having = pairs.stream().filter(pair -> shown.in(pair).isPresent()).toList();
        if (having.isEmpty()) {
            return Optional.empty();
        }
        boolean oneBase = ResultComparison.haveOneBase(pairs);
        // Candidates with a base each are told apart from each other alone.
        SideNames candidates = oneBase ? names : new SideNames(pairs.stream().map(Pair::candidateSide).toList());
        List<Ratio> rows = having.stream().limit(MOST_ROWS).map(pair -> row(candidates.of(pair.candidateSide()),
                pair.ranked(), shown.in(pair).orElseThrow().comparison())).toList();
        String base = oneBase ? names.of(having.getFirst().baseSide()) : "the base";
        return Optional.of(chart("ratios-" + shown.id(),
                shown.in(having.getFirst()).orElseThrow().label() + ", ratio to " + base, "candidate / base", rows,
                having.size() > MOST_ROWS ? " · first " + MOST_ROWS + " of " + having.size() + " pairs" : ""));
    }

    private ChartData chart(String id, String title, String axis, List<Ratio> rows, String omitted) {
        boolean dots = rows.stream().anyMatch(row -> row.runs().length > 0);
        boolean intervals = rows.stream().anyMatch(row -> row.span().isPresent());
        return new ChartData(id, title + (intervals ? ", 95 % intervals" : ""), footer(dots) + omitted, Axis.log(axis),
                Axis.fitted(""), new Marks.Ratios(rows));
    }

    /// The row of a comparison.
    static Ratio row(String name, boolean ranked, Comparison comparison) {
        RatioText ratio = RatioText.of(comparison);
        Optional<Double> value = ratio.value();
        return new Ratio(name, tone(ranked, comparison), outcome(ranked, comparison), value.orElse(Double.NaN),
                ratio.interval().map(range -> new Span(range.low(), range.high())).orElse(Span.NONE),
                value.isPresent() ? comparison.runRatios() : new double[0], text(ranked, comparison));
    }

    private static Tone tone(boolean ranked, Comparison comparison) {
        return !ranked ? Tone.NEUTRAL : switch (comparison.outcome()) {
            case FASTER -> Tone.BETTER;
            case SLOWER -> Tone.WORSE;
            case NO_DETECTABLE_DIFFERENCE, TOO_FEW_RUNS, SET_BY_LOAD, NOT_RANKED -> Tone.NEUTRAL;
        };
    }

    private static String outcome(boolean ranked, Comparison comparison) {
        return !ranked ? "not ranked" : switch (comparison.outcome()) {
            case FASTER, SLOWER -> comparison.outcomeText();
            case NO_DETECTABLE_DIFFERENCE ->
                detectable(comparison).isPresent() ? "not detectable" : "no detectable difference";
            case TOO_FEW_RUNS ->
                comparison.base().runs() == 1 && comparison.candidate().runs() == 1 ? "1 run each" : "too few runs";
            case SET_BY_LOAD -> comparison.outcomeText();
            case NOT_RANKED -> "not ranked";
        };
    }

    /// "1.31× [1.27, 1.35]"; "below 13 %" beside "not detectable". Beside "faster" or "slower" the ratio is at least 1.
    private static String text(boolean ranked, Comparison comparison) {
        if (tone(ranked, comparison) != Tone.NEUTRAL) {
            return RatioText.atLeastOne(comparison).withInterval();
        }
        return Optional.of(comparison).filter(each -> ranked && each.outcome() == Outcome.NO_DETECTABLE_DIFFERENCE)
                .flatMap(RatioCharts::detectable).map(least -> "below " + size(least))
                .orElseGet(() -> RatioText.of(comparison).withInterval());
    }

    /// The smallest detectable difference; empty without a test, and where nothing varied.
    private static Optional<Double> detectable(Comparison comparison) {
        return comparison.relativeSmallestDetectable()
                .filter(least -> least > 0 && RatioText.of(comparison).value().isPresent());
    }

    /// "3.1 %", "13 %"; from twice on as a ratio: "3.6×".
    private static String size(double share) {
        return share < 1 ? String.format(Locale.ROOT, share < 0.0995 ? "%.1f %%" : "%.0f %%", share * 100)
                : String.format(Locale.ROOT, share < 8.95 ? "%.1f×" : "%.0f×", 1 + share);
    }

    /// "3 runs a side, paired by seed, a dot a pair · windows 20.1 s to 21.9 s"
    private String footer(boolean dots) {
        List<Comparison> all =
                pairs.stream().flatMap(pair -> pair.figures().stream().map(ComparedFigure::comparison)).toList();
        List<Pairing> pairings =
                all.stream().filter(each -> each.testResult().isPresent()).map(Comparison::pairing).toList();
        String paired = pairings.isEmpty() ? ""
                : pairings.stream().allMatch(pairing -> pairing.pairs() > 0)
                        ? ", paired by seed" + (dots ? ", a dot a pair" : "")
                : pairings.stream().allMatch(pairing -> pairing.pairs() == 0) ? ", not paired"
                : ", paired by seed where both have the run";
        return FigureText.runs(all.stream().flatMap(each -> Stream.of(each.base(), each.candidate()))
                .mapToInt(CellFigure::runs).summaryStatistics()) + " a side" + paired + windows();
    }

    private String windows() {
        double[] nanos = pairs.stream().flatMap(pair -> Stream.of(pair.baseSide(), pair.candidateSide()))
                .flatMap(side -> side.figure(Metrics.WINDOW).stream()).mapToDouble(CellFigure::mean).sorted().toArray();
        if (nanos.length == 0) {
            return "";
        }
        String least = QuantityText.significant(nanos[0] / 1e9) + " s";
        String longest = QuantityText.significant(nanos[nanos.length - 1] / 1e9) + " s";
        return least.equals(longest) ? " · window " + least : " · windows " + least + " to " + longest;
    }

    /// What the precision changes, as ratios to the widest one: of the group with the highest output throughput. Empty where no model was
    /// measured in several precisions.
    static Optional<ChartData> quantisation(List<ComparedCell> cells) {
        List<Group> groups = QuantisationImpact.groups(cells);
        return groups.stream().max(Comparator.comparingDouble(group -> throughput(group.base())))
                .map(group -> chart(group, groups.size()));
    }

    private static ChartData chart(Group group, int groups) {
        String base = precision(group.base());
        List<Ratio> rows = new ArrayList<>();
        for (ComparedCell narrower : group.narrower()) {
            boolean ranked = !narrower.hasInvalidRuns() && !group.base().hasInvalidRuns();
            String prefix = group.narrower().size() == 1 ? "" : precision(narrower) + " ";
            QuantisationImpact.comparisons(group.base(), narrower)
                    .forEach((header, comparison) -> rows.add(row(prefix + header, ranked, comparison)));
        }
        String names = String.join(", ", group.narrower().stream().map(RatioCharts::precision).toList());
        return new ChartData("quantisation", "Quantisation impact: " + names + " against " + base,
                FigureText
                        .runs(Stream.concat(Stream.of(group.base()), group.narrower().stream())
                                .mapToInt(ComparedCell::runs).summaryStatistics())
                        + " · " + group.setting() + (groups == 1 ? "" : " · fastest of " + groups + " groups"),
                Axis.log("ratio to " + base), Axis.fitted(""), new Marks.Ratios(rows));
    }

    private static String precision(ComparedCell cell) {
        return LetterCase.upper(cell.precision());
    }

    private static double throughput(ComparedCell cell) {
        return cell.figure(Metrics.OUTPUT_THROUGHPUT).map(CellFigure::mean).orElse(0.0);
    }
}
