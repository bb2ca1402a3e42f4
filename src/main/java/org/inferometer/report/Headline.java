package org.inferometer.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.measurement.Comparisons;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.Metric;
import org.inferometer.record.Verdict;
import org.inferometer.report.compare.ComparedCell;
import org.inferometer.report.compare.DeploymentAnswer;

/// The answer of an experiment in one to three sentences, by fixed rules.
///
/// With an SLO it names the candidate of the highest goodput. Else it compares the cell of the highest output throughput with the baseline's
/// scheduler or server of the same engine, then with the widest precision under the same scheduler: under the last of the loads with most
/// cells without INVALID runs.
final class Headline {
    private static final List<String> PRECISIONS = List.of("fp32", "bf16", "fp16", "fp8", "int8", "int4");
    private static final List<Metric> FIRST_TOKEN = List.of(Metrics.TTFT.p50(), Metrics.SERVICE_TTFT.p50(),
            Metrics.TTFT.mean(), Metrics.SERVICE_TTFT.mean(), Metrics.E2E.p50(), Metrics.E2E.mean());
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
        Optional<String> deployment = DeploymentAnswer.of(cells, List.of(manifest)).map(DeploymentAnswer::sentence);
        if (deployment.isPresent()) {
            return deployment;
        }
        Verdict verdict = manifest.verdict();
        boolean invalid = verdict != null && verdict.grade() == Verdict.Grade.INVALID;
        return invalid && cells.stream().noneMatch(ComparedCell::hasInvalidRuns) ? Optional.of("Not ranked: INVALID.")
                : best().map(best -> cells.size() == 1 ? figures(best) : differences(best)).or(this::invalid);
    }

    private Optional<String> invalid() {
        int runs = cells.stream().mapToInt(cell -> cell.summary().runs()).sum();
        int invalid = cells.stream().map(cell -> cell.summary().invalidRuns()).filter(Objects::nonNull)
                .mapToInt(Integer::intValue).sum();
        return invalid == 0 ? Optional.empty() : Optional
                .of("Not ranked: " + invalid + " of " + runs + (runs == 1 ? " run is" : " runs are") + " INVALID.");
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
        return cell.label() + ": " + shown.map(metric -> metric.label() + " " + FigureText.figure(cell.figure(metric))
                + " " + FigureText.unit(metric.unit())).collect(Collectors.joining(", ")) + ".";
    }

    private static Stream<Metric> present(List<Metric> metrics, ComparedCell cell) {
        return metrics.stream().filter(metric -> cell.figure(metric).isPresent());
    }

    private String differences(ComparedCell best) {
        List<ComparedCell> others = lastLoad().stream().filter(cell -> cell != best).toList();
        Comparator<ComparedCell> baseFirst = Comparator.comparing((ComparedCell cell) -> !isBaseline(cell))
                .thenComparingDouble(Headline::throughput);
        Optional<ComparedCell> system = others.stream()
                .filter(cell -> same(best, cell, List.of(Headline::model, Headline::precision))).min(baseFirst);
        Optional<ComparedCell> precision = others.stream()
                .filter(cell -> same(best, cell, List.of(Headline::model, Headline::system))
                        && !same(best, cell, List.of(Headline::precision)))
                .min(Comparator.comparingInt(cell -> PRECISIONS.indexOf(precision(cell))));
        List<String> sentences = new ArrayList<>();
        system.ifPresent(base -> sentences.add(against(best, base)));
        precision.ifPresent(base -> sentences.add(
                against(best, base, precision(best).toUpperCase(Locale.ROOT), precision(base).toUpperCase(Locale.ROOT),
                        List.of(GAP, List.of(Metrics.MODEL_MEMORY_PEAK), FIRST_TOKEN))));
        if (sentences.isEmpty()) {
            others.stream().min(baseFirst).ifPresent(base -> sentences.add(against(best, base)));
        }
        if (sentences.isEmpty()) {
            return figures(best) + leftOut(best);
        }
        boolean once = lastLoad().stream().anyMatch(cell -> cell.summary().runs() < 2);
        return (ComparedCell.byLoad(cells).size() > 1 ? "Under " + load(best) + ", " : "") + String.join(" ", sentences)
                + (once ? " 1 run each: differences may be chance." : "") + leftOut(best);
    }

    private String leftOut(ComparedCell best) {
        long invalid = cells.stream().filter(cell -> load(cell).equals(load(best)) && cell.hasInvalidRuns()).count();
        return invalid == 0 ? ""
                : " Left out: " + invalid + (invalid == 1 ? " cell" : " cells") + " with INVALID runs.";
    }

    private static String against(ComparedCell best, ComparedCell base) {
        boolean systems = same(best, base, List.of(Headline::model, Headline::precision))
                && !same(best, base, List.of(Headline::system));
        return against(best, base, systems ? system(best) : best.name(), systems ? system(base) : base.name(),
                List.of(FIRST_TOKEN, List.of(Metrics.OUTPUT_THROUGHPUT)));
    }

    /// "continuous against naive: TTFT P50 39× shorter [31, 52], 1.60× the output throughput [1.52, 1.68]."
    private static String against(ComparedCell candidate, ComparedCell base, String name, String baseName,
            List<List<Metric>> choices) {
        List<String> clauses = new ArrayList<>();
        choices.forEach(metrics -> metrics.stream()
                .filter(metric -> candidate.figure(metric).isPresent() && base.figure(metric).isPresent()).findFirst()
                .flatMap(metric -> new DifferenceText(
                        Comparisons.between(base.figure(metric).orElseThrow(), candidate.figure(metric).orElseThrow()))
                        .clause())
                .ifPresent(clauses::add));
        return name + " against " + baseName
                + (same(candidate, base, List.of(Headline::model)) ? "" : " (models differ)") + ": "
                + String.join(", ", clauses) + ".";
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

    private static String system(ComparedCell cell) {
        return cell.summary().cell().subject().system();
    }

    private static String precision(ComparedCell cell) {
        return cell.summary().precision().toLowerCase(Locale.ROOT);
    }

    private static double throughput(ComparedCell cell) {
        return cell.figure(Metrics.OUTPUT_THROUGHPUT).map(CellFigure::mean).orElse(0.0);
    }
}
