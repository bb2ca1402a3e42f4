package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Metric;
import org.inferometer.record.Unrecorded;
import org.inferometer.report.FigureText;
import org.inferometer.report.ReportTable;
import org.inferometer.report.ReportTable.Column;
import org.inferometer.report.ReportTable.Row;
import org.inferometer.units.LetterCase;
import org.inferometer.wording.Voice;

/// Which cell suits which need, by fixed rules. Each need has one metric; a cell is named alone only if it differs detectably from all
/// others of its model and load. Cells with an invalid run are never named.
public final class Recommendations {
    /// The mean prompt from which a load counts as long context.
    static final int LONG_PROMPT_TOKENS = 1024;
    private static final String CANNOT_TELL = "cannot tell";
    /// Cells are called equal only if a difference of this share would be found in 4 of 5 experiments.
    private static final double WEAKEST = 0.1;

    /// What a deployment needs most, with the metrics that decide: the first that all cells have. Tools report the later ones.
    enum Need {
        LATENCY("Latency-critical", Metrics.E2E.p95(), Metrics.SERVICE_E2E.p95(), Metrics.DECODE_LATENCY.mean()),
        MEMORY("Memory-bound", Metrics.MODEL_MEMORY_PEAK, Metrics.REPORTED_MEMORY_PEAK, Metrics.MEMORY_MEAN_TOTAL),
        LONG_CONTEXT("Long context", Metrics.TTFT.p50(), Metrics.SERVICE_TTFT.p50()),
        THROUGHPUT("Throughput", Metrics.OUTPUT_THROUGHPUT, Metrics.COMPUTING_RATE);

        private final String label;
        private final List<Metric> metrics;

        Need(String label, Metric... metrics) {
            this.label = label;
            this.metrics = List.of(metrics);
        }

        Metric metric(List<ComparedCell> group) {
            return metrics.stream().filter(metric -> group.stream().allMatch(cell -> cell.figure(metric).isPresent()))
                    .findFirst().orElse(metrics.getFirst());
        }
    }

    private Recommendations() {}

    /// The table; empty where no model was measured in two cells under one load, no cell has a metric of the rules, or every cell ran once
    /// here: a file of another tool may hold one value of several runs.
    public static Optional<ReportTable> of(List<ComparedCell> cells, Voice voice) {
        List<List<ComparedCell>> groups = ComparedCell.byModelAndLoad(cells).values().stream()
                .filter(group -> group.size() > 1
                        && (group.stream().anyMatch(cell -> cell.runs() > 1) || isSummary(group))
                        && Stream.of(Need.values()).anyMatch(
                                need -> group.stream().anyMatch(cell -> cell.figure(need.metric(group)).isPresent())))
                .toList();
        List<Row> rows = new ArrayList<>();
        for (List<ComparedCell> group : groups) {
            rows.add(Row.heading(
                    Unrecorded.known(group.getFirst().family()).map(model -> "model " + model + " · ").orElse("")
                            + ComparedCell.workload(group.getFirst())));
            for (Need need : Need.values()) {
                rows.add(row(need, group));
            }
        }
        return rows.isEmpty() ? Optional.empty() : Optional.of(new ReportTable("Recommendations", "",
                List.of(Column.text("Need"), Column.text("Choice"), Column.text("Evidence")), rows,
                notes(groups, voice, "Rules: "
                        + Stream.of(Need.values())
                                .map(need -> LetterCase.lower(need.label) + " by "
                                        + groups.stream().map(need::metric).map(Metric::label).distinct()
                                                .collect(Collectors.joining(" or ")))
                                .collect(Collectors.joining(", "))
                        + ".")));
    }

    /// A choice between precisions says what is known of their quality.
    private static List<String> notes(List<List<ComparedCell>> groups, Voice voice, String rules) {
        List<ComparedCell> narrower = QuantisationImpact.groups(groups.stream().flatMap(List::stream).toList()).stream()
                .flatMap(group -> group.narrower().stream()).toList();
        String single = groups.stream().anyMatch(Recommendations::isSummary)
                ? "Choices between single values have no interval and may be chance." : "";
        return Stream.concat(Stream.of(rules, single).filter(note -> !note.isEmpty()),
                QualityText.note(narrower).stream().map(note -> note.in(voice))).toList();
    }

    private static Row row(Need need, List<ComparedCell> group) {
        if (need == Need.LONG_CONTEXT) {
            List<Double> lengths = group.stream().flatMap(cell -> promptTokens(cell).stream()).toList();
            if (lengths.size() < group.size()) {
                return row(need, CANNOT_TELL, "Prompt lengths are not known.");
            }
            if (lengths.stream().anyMatch(tokens -> tokens < LONG_PROMPT_TOKENS)) {
                return row(need, CANNOT_TELL, "Prompts are shorter than " + LONG_PROMPT_TOKENS + " tokens on average.");
            }
        }
        long refused = group.stream().filter(cell -> cell.summary().hasInvalidRuns()).count();
        if (refused > 0) {
            return row(need, CANNOT_TELL,
                    refused + " of " + group.size() + " cells " + (refused == 1 ? "has" : "have") + " an invalid run.");
        }
        Optional<String> other = OtherWork.among(group);
        if (other.isPresent()) {
            return row(need, CANNOT_TELL, LetterCase.capitalized(other.get()));
        }
        Metric metric = need.metric(group);
        long missing = group.stream().filter(cell -> cell.figure(metric).isEmpty()).count();
        if (missing > 0) {
            return row(need, CANNOT_TELL,
                    metric.label() + " is missing in " + missing + " of " + group.size() + " cells.");
        }
        List<CellFigure> figures = group.stream().map(cell -> cell.required(metric)).toList();
        if (figures.stream().anyMatch(CellFigure::setByLoad)) {
            return row(need, CANNOT_TELL,
                    "The load sets it. Measure in a closed loop, or raise the rate until one gives way.");
        }
        if (!figures.stream().allMatch(CellFigure::enough)) {
            return row(need, CANNOT_TELL,
                    "Too few requests for " + metric.label() + " (" + FigureText.fewestSamples(figures) + " a run).");
        }
        if (isSummary(group)) {
            BestCell first = BestCell.byMean(group, metric);
            return row(need, first.best().name(), evidence(first));
        }
        return BestCell.of(group, metric).map(best -> row(need, best))
                .orElseGet(() -> row(need, CANNOT_TELL, "A cell has 1 run. Measure 3 runs per cell."));
    }

    /// Whether these are the summaries of another tool's file.
    private static boolean isSummary(List<ComparedCell> group) {
        return group.stream().allMatch(cell -> cell.isImported() && cell.runs() == 1);
    }

    private static String evidence(BestCell best) {
        return best.metric().label() + " " + best.value() + best.distance().map(text -> ", " + text).orElse("") + ".";
    }

    private static Row row(Need need, BestCell best) {
        if (best.equal().isEmpty()) {
            return row(need, best.best().name(), evidence(best));
        }
        String figure = best.metric().label() + " " + best.value();
        Optional<Double> least = best.leastDetectable();
        if (least.isEmpty() || least.get() > WEAKEST) {
            String seen =
                    least.map(share -> ", but only differences above " + FigureText.percent(share) + " % are found")
                            .orElse("");
            return row(need, CANNOT_TELL,
                    best.best().name() + " comes first (" + figure + ")" + seen + ". " + best.runsToTell(WEAKEST));
        }
        String names = Stream.concat(Stream.of(best.best()), best.equal().stream()).map(ComparedCell::name)
                .collect(Collectors.joining(" or "));
        return row(need, names, figure + "; these do not differ detectably.");
    }

    private static Row row(Need need, String choice, String evidence) {
        return Row.of(List.of("  " + need.label, choice, evidence));
    }

    /// The mean of a request.
    private static Optional<Double> promptTokens(ComparedCell cell) {
        Optional<Double> requests = cell.figure(Metrics.REQUESTS_OK).map(CellFigure::mean).filter(count -> count > 0);
        return cell.figure(Metrics.PROMPT_TOKENS).map(CellFigure::mean)
                .flatMap(tokens -> requests.map(count -> tokens / count));
    }
}
