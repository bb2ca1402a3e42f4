package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Metric;
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

    /// What a deployment needs most, with the metric that decides.
    enum Need {
        LATENCY("Latency-critical", Metrics.E2E.p95()), MEMORY("Memory-bound", Metrics.MODEL_MEMORY_PEAK),
        LONG_CONTEXT("Long context", Metrics.TTFT.p50()), THROUGHPUT("Throughput", Metrics.OUTPUT_THROUGHPUT);

        private final String label;
        private final Metric metric;

        Need(String label, Metric metric) {
            this.label = label;
            this.metric = metric;
        }
    }

    private Recommendations() {}

    /// The table; empty where no model was measured in two cells under one load, no cell has a metric of the rules, or every cell ran once.
    public static Optional<ReportTable> of(List<ComparedCell> cells, Voice voice) {
        List<List<ComparedCell>> groups = ComparedCell.byModelAndLoad(cells).values().stream()
                .filter(group -> group.size() > 1 && group.stream().anyMatch(cell -> cell.runs() > 1)
                        && Stream.of(Need.values()).anyMatch(
                                need -> group.stream().anyMatch(cell -> cell.figure(need.metric).isPresent())))
                .toList();
        List<Row> rows = new ArrayList<>();
        for (List<ComparedCell> group : groups) {
            rows.add(Row.heading(
                    "model " + group.getFirst().summary().model() + " · " + ComparedCell.workload(group.getFirst())));
            for (Need need : Need.values()) {
                rows.add(row(need, group));
            }
        }
        return rows
                .isEmpty()
                        ? Optional.empty()
                        : Optional.of(new ReportTable("Recommendations", "",
                                List.of(Column.text("Need"), Column.text("Choice"), Column.text("Evidence")), rows,
                                notes(groups, voice,
                                        "Rules: "
                                                + Stream.of(Need.values())
                                                        .map(need -> LetterCase.lower(need.label) + " by "
                                                                + need.metric.label())
                                                        .collect(Collectors.joining(", "))
                                                + ".")));
    }

    /// A choice between precisions says what is known of their quality.
    private static List<String> notes(List<List<ComparedCell>> groups, Voice voice, String rules) {
        List<ComparedCell> narrower = QuantisationImpact.groups(groups.stream().flatMap(List::stream).toList()).stream()
                .flatMap(group -> group.narrower().stream()).toList();
        return Stream.concat(Stream.of(rules), QualityText.note(narrower).stream().map(note -> note.in(voice)))
                .toList();
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
        long missing = group.stream().filter(cell -> cell.figure(need.metric).isEmpty()).count();
        if (missing > 0) {
            return row(need, CANNOT_TELL,
                    need.metric.label() + " is missing in " + missing + " of " + group.size() + " cells.");
        }
        List<CellFigure> figures = group.stream().map(cell -> cell.required(need.metric)).toList();
        if (figures.stream().anyMatch(CellFigure::setByLoad)) {
            return row(need, CANNOT_TELL,
                    "The load sets it. Measure in a closed loop, or raise the rate until one gives way.");
        }
        if (!figures.stream().allMatch(CellFigure::enough)) {
            return row(need, CANNOT_TELL, "Too few requests for " + need.metric.label() + " ("
                    + FigureText.fewestSamples(figures) + " a run).");
        }
        return BestCell.of(group, need.metric).map(best -> row(need, best))
                .orElseGet(() -> row(need, CANNOT_TELL, "A cell has 1 run. Measure 3 runs per cell."));
    }

    private static Row row(Need need, BestCell best) {
        String figure = need.metric.label() + " " + best.value();
        if (best.equal().isEmpty()) {
            return row(need, best.best().name(), figure + best.distance().map(text -> ", " + text).orElse("") + ".");
        }
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
