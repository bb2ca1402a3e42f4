package org.inferometer.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.measurement.Comparison;
import org.inferometer.measurement.Comparisons;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.Metric;
import org.inferometer.record.Verdict;
import org.inferometer.report.compare.ComparedCell;
import org.inferometer.report.compare.DeploymentAnswer;
import org.inferometer.report.compare.LoadNames;
import org.inferometer.report.compare.QualityText;
import org.inferometer.report.compare.QuantisationImpact;

/// The answer of an experiment in one to three sentences, by fixed rules.
///
/// With an SLO it names the candidate of the highest goodput. Without one, or if no load is shown to meet it, it compares the cell of the
/// highest output throughput with the baseline's scheduler or server of the same engine, then its system's narrowest precision with the
/// widest: under the last of the loads with most cells without INVALID runs. Differences are corrected for all that is judged, so that equal cells get one in at most 5 % of results.
final class Headline {
    /// The answer of an experiment whose verdict is INVALID for none of its cells.
    static final String NOT_RANKED = "Not ranked: INVALID.";
    private static final List<Metric> FIRST_TOKEN = List.of(Metrics.TTFT.p50(), Metrics.SERVICE_TTFT.p50(),
            Metrics.TTFT.mean(), Metrics.SERVICE_TTFT.mean(), Metrics.E2E.p50(), Metrics.E2E.mean());
    private static final List<Metric> THROUGHPUT = List.of(Metrics.OUTPUT_THROUGHPUT);
    private static final List<Metric> GAP =
            List.of(Metrics.ITL.p50(), Metrics.INTER_CHUNK.p50(), Metrics.TPOT.p50(), Metrics.TPOT.mean());
    private final ExperimentManifest manifest;
    private final List<ComparedCell> cells;

    private Headline(ExperimentManifest manifest, List<ComparedCell> cells) {
        this.manifest = manifest;
        this.cells = cells;
    }

    /// The answer; empty without figures.
    static Optional<String> of(ExperimentManifest manifest, List<ComparedCell> cells) {
        return new Headline(manifest, cells).answer();
    }

    private Optional<String> answer() {
        Verdict verdict = manifest.verdict();
        boolean invalid = verdict != null && verdict.grade() == Verdict.Grade.INVALID;
        Optional<DeploymentAnswer> deployment = DeploymentAnswer.of(cells, List.of(manifest));
        if (deployment.isPresent()) {
            Optional<String> instead = deployment.get().isServed() || invalid || cells.size() == 1 ? Optional.empty()
                    : best().map(this::differences);
            return Optional.of(deployment.get().sentence() + instead.map(sentence -> " " + sentence).orElse(""));
        }
        return invalid && cells.stream().noneMatch(ComparedCell::hasInvalidRuns) ? Optional.of(NOT_RANKED)
                : best().map(best -> cells.size() == 1 ? figures(best) : differences(best)).or(this::invalid);
    }

    private Optional<String> invalid() {
        int runs = cells.stream().mapToInt(cell -> cell.summary().runs()).sum();
        int invalid = cells.stream().map(cell -> cell.summary().invalidRuns()).filter(Objects::nonNull)
                .mapToInt(Integer::intValue).sum();
        return invalid == 0 || cells.size() < 2 ? Optional.empty() : Optional
                .of("Not ranked: " + invalid + " of " + runs + " runs " + (invalid == 1 ? "is" : "are") + " INVALID.");
    }

    /// The highest output throughput under the load that is compared.
    private Optional<ComparedCell> best() {
        return lastLoad().stream().filter(cell -> cell.figure(Metrics.OUTPUT_THROUGHPUT).isPresent())
                .max(Comparator.comparingDouble(Headline::throughput));
    }

    private List<ComparedCell> lastLoad() {
        List<ComparedCell> widest = List.of();
        for (List<ComparedCell> load : ComparedCell.byLoad(cells).values()) {
            List<ComparedCell> valid = load.stream().filter(cell -> !cell.hasInvalidRuns()).toList();
            widest = valid.size() >= widest.size() ? valid : widest;
        }
        return widest;
    }

    private static String figures(ComparedCell cell) {
        Stream<Metric> shown = Stream.of(Stream.of(Metrics.OUTPUT_THROUGHPUT), present(FIRST_TOKEN, cell).limit(1),
                Stream.of(Metrics.TTFT.p95()).filter(tail -> cell.figure(tail).filter(CellFigure::enough).isPresent()),
                present(GAP, cell).limit(1)).flatMap(metrics -> metrics);
        List<CellFigure> figures = shown.map(metric -> cell.figure(metric).orElseThrow()).toList();
        boolean intervals = figures.stream().anyMatch(figure -> figure.interval().isPresent());
        int runs = cell.summary().runs();
        return cell.label() + ": "
                + figures.stream().map(figure -> figure.metric().label() + " " + FigureText.withUnit(figure))
                        .collect(Collectors.joining(", "))
                + ". "
                + (runs == 1 ? "1 run: no intervals." : runs + " runs" + (intervals ? ", 95 % intervals." : "."));
    }

    private static Stream<Metric> present(List<Metric> metrics, ComparedCell cell) {
        return metrics.stream().filter(metric -> cell.figure(metric).isPresent());
    }

    private String differences(ComparedCell best) {
        List<ComparedCell> others = lastLoad().stream().filter(cell -> cell != best).toList();
        Comparator<ComparedCell> baseFirst = Comparator.comparing((ComparedCell cell) -> !isBaseline(cell))
                .thenComparingDouble(Headline::throughput);
        Optional<ComparedCell> system = others.stream()
                .filter(cell -> same(best, cell, List.of(Headline::model, ComparedCell::precision))).min(baseFirst);
        List<Contrast> contrasts = new ArrayList<>();
        system.ifPresent(base -> contrasts.add(contrast(best, base)));
        Optional<Contrast> precision = precision(best);
        precision.ifPresent(contrasts::add);
        if (contrasts.isEmpty()) {
            others.stream().min(baseFirst).ifPresent(base -> contrasts.add(contrast(best, base)));
        }
        if (contrasts.isEmpty()) {
            return figures(best) + leftOut(best);
        }
        String sentences = String.join(" ", sentences(contrasts));
        return (ComparedCell.byLoad(cells).size() > 1
                ? FigureText.upperFirst(LoadNames.of(cells).circumstance(best)) + ", " : "") + sentences
                + quality(precision.stream().map(Contrast::candidate).toList())
                + runs(contrasts, sentences.contains("[")) + leftOut(best);
    }

    /// " 3 runs each, 95 % intervals." A side of one run has no interval.
    private static String runs(List<Contrast> contrasts, boolean intervals) {
        IntSummaryStatistics runs = contrasts.stream().flatMap(each -> Stream.of(each.candidate(), each.base()))
                .mapToInt(cell -> cell.summary().runs()).summaryStatistics();
        String each = " " + (runs.getMin() == runs.getMax() ? "" : runs.getMin() + " to ") + runs.getMax()
                + (runs.getMax() == 1 ? " run" : " runs") + " each";
        return each + (runs.getMax() == 1 ? ": no intervals, differences may be chance."
                : runs.getMin() == 1 ? ": differences without an interval may be chance."
                : intervals ? ", 95 % intervals."
                : ".");
    }

    /// The narrowest precision of the best system against the widest: what it saves, then what it gains. All memory is named where it
    /// differs the other way than weights and KV cache.
    private Optional<Contrast> precision(ComparedCell best) {
        List<ComparedCell> widest = lastLoad().stream()
                .filter(cell -> same(best, cell, List.of(Headline::model, Headline::system)))
                .filter(cell -> QuantisationImpact.PRECISIONS.contains(cell.precision()))
                .sorted(Comparator.comparingInt(cell -> QuantisationImpact.PRECISIONS.indexOf(cell.precision())))
                .toList();
        if (widest.isEmpty() || same(widest.getFirst(), widest.getLast(), List.of(ComparedCell::precision))) {
            return Optional.empty();
        }
        ComparedCell base = widest.getFirst();
        ComparedCell narrow = widest.getLast();
        List<Comparison> memory =
                compared(narrow, base, List.of(List.of(Metrics.MODEL_MEMORY_PEAK), List.of(Metrics.MEMORY_PEAK_TOTAL)));
        List<Comparison> saved = memory.size() == 2 && contradict(memory.getFirst(), memory.getLast()) ? memory
                : memory.stream().filter(each -> each.metric().equals(Metrics.MODEL_MEMORY_PEAK)).toList();
        List<Comparison> gained = compared(narrow, base, List.of(THROUGHPUT, FIRST_TOKEN));
        return Optional.of(new Contrast(narrow, base, narrow.precision().toUpperCase(Locale.ROOT),
                base.precision().toUpperCase(Locale.ROOT), several(Headline::system) ? " under " + system(narrow) : "",
                Stream.concat(saved.stream(), gained.stream()).toList()));
    }

    /// Whether one is more and the other is less.
    private static boolean contradict(Comparison a, Comparison b) {
        return a.change().orElse(0.0) * b.change().orElse(0.0) < 0;
    }

    /// Whether cells of the compared load differ in a part.
    private boolean several(Function<ComparedCell, String> part) {
        return lastLoad().stream().map(part).distinct().count() > 1;
    }

    /// A narrower precision is never the answer without a word on its quality.
    private static String quality(List<ComparedCell> best) {
        return QualityText.clause(best).map(clause -> " " + clause).orElse("");
    }

    /// One cell against another.
    ///
    /// @param scope what both share and other cells do not: " with tiny-int4"; may be empty
    private record Contrast(ComparedCell candidate, ComparedCell base, String name, String baseName, String scope,
            List<Comparison> comparisons) {}

    private Contrast contrast(ComparedCell best, ComparedCell base) {
        boolean systems = same(best, base, List.of(Headline::model, ComparedCell::precision))
                && !same(best, base, List.of(Headline::system));
        return new Contrast(best, base, systems ? system(best) : best.name(), systems ? system(base) : base.name(),
                systems && several(Headline::engine) ? " with " + engine(best) : "",
                compared(best, base, List.of(FIRST_TOKEN, THROUGHPUT)));
    }

    /// Of each group of metrics the first that both cells have. All cells of the load are one family, as the best is the best of them.
    private List<Comparison> compared(ComparedCell best, ComparedCell base, List<List<Metric>> groups) {
        return groups.stream()
                .flatMap(metrics -> metrics.stream()
                        .filter(metric -> best.figure(metric).isPresent() && base.figure(metric).isPresent()).limit(1))
                .map(metric -> {
                    List<ComparedCell> family = Stream
                            .concat(Stream.of(best),
                                    lastLoad().stream().filter(
                                            cell -> cell != best && cell != base && cell.figure(metric).isPresent()))
                            .toList();
                    return Comparisons.against(base.figure(metric).orElseThrow(),
                            family.stream().map(cell -> cell.figure(metric).orElseThrow()).toList()).getFirst();
                }).toList();
    }

    /// "continuous against naive with tiny-int4: TTFT P50 39× shorter [31, 52], 1.60× the output throughput [1.52, 1.68]." All clauses are
    /// judged together.
    private static List<String> sentences(List<Contrast> contrasts) {
        List<Comparison> judged =
                Comparisons.corrected(contrasts.stream().flatMap(each -> each.comparisons().stream()).toList());
        List<String> sentences = new ArrayList<>();
        int from = 0;
        for (Contrast contrast : contrasts) {
            int to = from + contrast.comparisons().size();
            List<String> clauses = DifferenceText.clauses(judged.subList(from, to));
            sentences.add(contrast.name() + " against " + contrast.baseName() + contrast.scope()
                    + (same(contrast.candidate(), contrast.base(), List.of(Headline::model)) ? "" : " (models differ)")
                    + ": " + String.join(", ", clauses) + ".");
            from = to;
        }
        return sentences;
    }

    private String leftOut(ComparedCell best) {
        long invalid = cells.stream().filter(cell -> load(cell).equals(load(best)) && cell.hasInvalidRuns()).count();
        return invalid == 0 ? ""
                : " Left out: " + invalid + (invalid == 1 ? " cell" : " cells") + " with INVALID runs.";
    }

    private static boolean same(ComparedCell a, ComparedCell b, List<Function<ComparedCell, String>> parts) {
        return parts.stream().allMatch(part -> part.apply(a).equals(part.apply(b)));
    }

    private boolean isBaseline(ComparedCell cell) {
        return manifest.spec().baselineSystem().filter(system(cell)::equals).isPresent();
    }

    private static String load(ComparedCell cell) {
        return cell.summary().cell().workload().name();
    }

    private static String model(ComparedCell cell) {
        return cell.summary().model();
    }

    private static String engine(ComparedCell cell) {
        return cell.summary().cell().subject().model().orElse("");
    }

    private static String system(ComparedCell cell) {
        return cell.summary().cell().subject().system();
    }

    private static double throughput(ComparedCell cell) {
        return cell.figure(Metrics.OUTPUT_THROUGHPUT).map(CellFigure::mean).orElse(0.0);
    }
}
