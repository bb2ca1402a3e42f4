package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.comparison.Comparison;
import org.inferometer.measurement.comparison.Comparisons;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.Metric;
import org.inferometer.record.Metric.Unit;
import org.inferometer.record.Unrecorded;
import org.inferometer.report.FigureText;
import org.inferometer.report.GainText;
import org.inferometer.report.ReportTable;
import org.inferometer.report.ReportTable.Column;
import org.inferometer.report.ReportTable.Row;
import org.inferometer.workload.WorkloadSpec;

/// Cells compared with a baseline, metric by metric, over runs. Only cells of one model under one load are compared.
public final class BaselineComparison {
    private static final List<Metric> METRICS = List.of(Metrics.REQUEST_THROUGHPUT, Metrics.OUTPUT_THROUGHPUT,
            Metrics.TTFT.p50(), Metrics.TTFT.p95(), Metrics.ITL.p50(), Metrics.E2E.mean(), Metrics.E2E.p95(),
            Metrics.E2E.p99(), Metrics.MODEL_MEMORY_PEAK, Metrics.MEMORY_PEAK_TOTAL, Metrics.LANE_UTILISATION);
    private static final List<Metric> FEW_METRICS = List.of(Metrics.OUTPUT_THROUGHPUT, Metrics.TTFT.p50(),
            Metrics.E2E.p95(), Metrics.E2E.p99(), Metrics.MEMORY_PEAK_TOTAL, Metrics.LANE_UTILISATION);
    /// Metrics in the place of those that runs without intended send times lack.
    private static final Map<Metric, Metric> FROM_SENDING = Map.of(Metrics.TTFT.p50(), Metrics.SERVICE_TTFT.p50(),
            Metrics.TTFT.p95(), Metrics.SERVICE_TTFT.p95(), Metrics.E2E.mean(), Metrics.SERVICE_E2E.mean(),
            Metrics.E2E.p95(), Metrics.SERVICE_E2E.p95(), Metrics.E2E.p99(), Metrics.SERVICE_E2E.p99());
    private static final int MANY_CANDIDATES = 3;
    private static final Map<Metric, String> OVERVIEW = overviewColumns();
    private final List<Group> groups;

    private record Group(ComparedCell baseline, List<ComparedCell> candidates) {
        /// "Not ranked, with an INVALID run: naive." Empty if every run is valid.
        Optional<String> invalid() {
            List<String> names = Stream.concat(Stream.of(baseline), candidates.stream())
                    .filter(ComparedCell::hasInvalidRuns).map(ComparedCell::label).toList();
            return names.isEmpty() ? Optional.empty()
                    : Optional.of("Not ranked, with an INVALID run: " + String.join(", ", names) + ".");
        }

        /// "Not ranked: answers of full have 40.0 tokens, of half 20.0." Empty where all did the same work.
        Optional<String> otherWork() {
            return OtherWork.among(Stream.concat(Stream.of(baseline), candidates.stream()).toList())
                    .map(work -> "Not ranked: " + work);
        }

        boolean tooFewRuns() {
            return baseline.runs() < 2 || candidates.stream().anyMatch(cell -> cell.runs() < 2);
        }
    }

    /// One candidate's figure against its baseline's.
    public record Improvement(ComparedCell baseline, ComparedCell candidate, Comparison comparison) {}

    private static Map<Metric, String> overviewColumns() {
        Map<Metric, String> columns = new LinkedHashMap<>();
        columns.put(Metrics.REQUEST_THROUGHPUT, "Requests/s");
        columns.put(Metrics.OUTPUT_THROUGHPUT, "Output tok/s");
        columns.put(Metrics.TOTAL_THROUGHPUT, "Total tok/s");
        columns.put(Metrics.TTFT.p50(), "TTFT P50");
        columns.put(Metrics.ITL.p50(), "ITL P50");
        columns.put(Metrics.E2E.mean(), "E2E mean");
        columns.put(Metrics.E2E.p95(), "E2E P95");
        columns.put(Metrics.E2E.p99(), "E2E P99");
        columns.put(Metrics.MEMORY_PEAK_TOTAL, "Memory");
        columns.put(Metrics.LANE_UTILISATION, "Lanes busy");
        return columns;
    }

    private BaselineComparison(List<Group> groups) {
        this.groups = groups;
    }

    /// Against the first cell of each model and load that runs its experiment's baseline; if there is none, the first cell. Targets are
    /// compared with the engines of every model under the same load, and engines with a target that is the baseline.
    ///
    /// @param experiments those that the cells belong to
    public static BaselineComparison overBaselines(List<ComparedCell> cells, List<ExperimentManifest> experiments) {
        Map<String, String> baselines = new HashMap<>();
        experiments.forEach(experiment -> experiment.spec().baselineSystem()
                .ifPresent(scheduler -> baselines.put(experiment.id(), scheduler)));
        List<Group> groups = new ArrayList<>();
        for (List<ComparedCell> group : groups(cells, cell -> isBaseline(cell, baselines))) {
            ComparedCell baseline =
                    group.stream().filter(cell -> isBaseline(cell, baselines)).findFirst().orElse(group.getFirst());
            List<ComparedCell> candidates = group.stream().filter(cell -> cell != baseline).toList();
            if (!candidates.isEmpty()) {
                groups.add(new Group(baseline, candidates));
            }
        }
        return new BaselineComparison(groups);
    }

    private static boolean isBaseline(ComparedCell cell, Map<String, String> baselines) {
        return cell.subject().system().equals(baselines.get(cell.experiment()));
    }

    /// Cells to compare with each other.
    private static List<List<ComparedCell>> groups(List<ComparedCell> cells, Predicate<ComparedCell> baseline) {
        List<ComparedCell> targets = cells.stream().filter(ComparedCell::isTarget).toList();
        if (targets.isEmpty() || targets.size() == cells.size()) {
            return List.copyOf(ComparedCell.byModelAndLoad(cells).values());
        }
        if (targets.stream().anyMatch(baseline)) {
            return List.copyOf(ComparedCell.byLoad(cells).values());
        }
        List<ComparedCell> engines = cells.stream().filter(cell -> !cell.isTarget()).toList();
        List<List<ComparedCell>> groups = new ArrayList<>();
        for (List<ComparedCell> group : ComparedCell.byModelAndLoad(engines).values()) {
            WorkloadSpec load = group.getFirst().load();
            groups.add(Stream.concat(group.stream(), targets.stream().filter(target -> target.load().equals(load)))
                    .toList());
        }
        return groups;
    }

    /// Every comparison of a metric; the candidates of one baseline are corrected together.
    public List<Improvement> of(Metric metric) {
        return groups.stream().flatMap(group -> of(group, metric).stream()).toList();
    }

    private static List<Improvement> of(Group group, Metric metric) {
        Optional<CellFigure> base =
                group.baseline().figure(metric).filter(figure -> Comparisons.comparable(figure.metric()));
        if (base.isEmpty()) {
            return List.of();
        }
        List<Improvement> improvements = new ArrayList<>();
        List<ComparedCell> candidates =
                group.candidates().stream().filter(cell -> cell.figure(metric).isPresent()).toList();
        List<Comparison> comparisons =
                Comparisons.against(base.get(), candidates.stream().map(cell -> cell.required(metric)).toList());
        for (int c = 0; c < candidates.size(); c++) {
            Comparison comparison = comparisons.get(c);
            improvements.add(new Improvement(group.baseline(), candidates.get(c),
                    group.baseline().hasInvalidRuns() || candidates.get(c).hasInvalidRuns()
                            || OtherWork.differs(group.baseline(), candidates.get(c)) ? comparison.unranked()
                                    : comparison));
        }
        return improvements;
    }

    /// The comparisons of each candidate of a group, in the order of the metrics; empty without a figure.
    private static Map<ComparedCell, List<Optional<Comparison>>> byCandidate(Group group, List<Metric> metrics) {
        Map<ComparedCell, List<Optional<Comparison>>> comparisons = new LinkedHashMap<>();
        group.candidates().forEach(candidate -> comparisons.put(candidate, new ArrayList<>()));
        for (Metric metric : metrics) {
            List<Improvement> all = of(group, metric);
            comparisons.forEach((candidate, own) -> own.add(all.stream().filter(each -> each.candidate() == candidate)
                    .map(Improvement::comparison).findFirst()));
        }
        return comparisons;
    }

    /// One table a baseline whose candidates share a metric with it: each candidate's figures with improvement, interval and result.
    public List<ReportTable> tables() {
        return groups.stream().map(BaselineComparison::table)
                .filter(table -> table.rows().stream().anyMatch(row -> row.kind() == ReportTable.RowKind.FIGURES))
                .toList();
    }

    private static ReportTable table(Group group) {
        List<Row> rows = new ArrayList<>();
        List<Metric> metrics = new ArrayList<>(group.candidates().size() > MANY_CANDIDATES ? FEW_METRICS : METRICS);
        metrics.replaceAll(metric -> of(group, metric).isEmpty() ? FROM_SENDING.getOrDefault(metric, metric) : metric);
        if (of(group, Metrics.OUTPUT_THROUGHPUT).isEmpty()) {
            metrics.addFirst(Metrics.TOTAL_THROUGHPUT);
        }
        Map<ComparedCell, List<Optional<Comparison>>> comparisons = byCandidate(group, metrics);
        comparisons.forEach((candidate, own) -> {
            rows.add(Row.heading(candidate.label()));
            own.forEach(comparison -> comparison.ifPresent(present -> rows.add(row(present))));
            if (!group.baseline().has(Metrics.LANE_UTILISATION) || !candidate.has(Metrics.LANE_UTILISATION)) {
                context(Metrics.LANE_UTILISATION, group.baseline(), candidate).ifPresent(rows::add);
            }
            context(Metrics.DEVICE_UTILISATION, group.baseline(), candidate).ifPresent(rows::add);
        });
        List<Column> columns = List.of(Column.text("Metric"), Column.number("Base", ""), Column.number("Candidate", ""),
                Column.number("Difference", "[95 %]"), Column.text("Result"), Column.number("Detectable", "%"));
        return new ReportTable("Difference from " + group.baseline().label() + ", with intervals", load(group), columns,
                rows, footnotes(group,
                        comparisons.values().stream().flatMap(List::stream).flatMap(Optional::stream).toList()));
    }

    /// A row a candidate under the load of its baseline: the improvement of the main metrics, marked where the interval over
    /// runs supports it. Empty without candidates.
    public Optional<ReportTable> overview() {
        List<Metric> metrics = OVERVIEW.keySet().stream().filter(this::isShown).toList();
        if (metrics.isEmpty()) {
            return Optional.empty();
        }
        List<Column> columns = new ArrayList<>(List.of(Column.text("Candidate")));
        metrics.forEach(metric -> columns.add(Column.number(OVERVIEW.getOrDefault(metric, ""), "")));
        boolean busy = groups.stream().anyMatch(group -> group.candidates().stream()
                .anyMatch(cell -> points(Metrics.DEVICE_UTILISATION, group.baseline(), cell).isPresent()));
        if (busy) {
            columns.add(Column.number("Device busy", ""));
        }
        List<String> baselines = groups.stream().map(group -> group.baseline().name()).distinct().toList();
        List<Row> rows = new ArrayList<>();
        for (Group group : groups) {
            if (groups.size() > 1) {
                rows.add(
                        Row.heading(load(group) + (baselines.size() == 1 ? "" : " · over " + group.baseline().name())));
            }
            byCandidate(group, metrics).forEach((candidate, comparisons) -> {
                List<String> row = new ArrayList<>(List.of(candidate.name()));
                comparisons.forEach(comparison -> row
                        .add(comparison.map(BaselineComparison::marked).orElse(FigureText.NOT_APPLICABLE)));
                if (busy) {
                    row.add(points(Metrics.DEVICE_UTILISATION, group.baseline(), candidate)
                            .orElse(FigureText.NOT_APPLICABLE));
                }
                rows.add(Row.of(row));
            });
        }
        String baseline = baselines.size() == 1 ? baselines.getFirst() : "the first cell of each load";
        List<String> notes = new ArrayList<>(legend().stream().toList());
        notes.addAll(Comparison.Pairing
                .texts(metrics.stream().flatMap(metric -> of(metric).stream()).map(Improvement::comparison).toList()));
        groups.stream().flatMap(group -> models(group).stream()).distinct().forEach(notes::add);
        groups.stream().flatMap(group -> group.invalid().stream()).distinct().forEach(notes::add);
        return Optional.of(new ReportTable("Difference from " + baseline,
                groups.size() > 1 ? "" : load(groups.getFirst()), columns, rows, notes));
    }

    /// What the marks mean; nothing without marks.
    private Optional<String> legend() {
        if (groups.stream().allMatch(Group::tooFewRuns)) {
            return Optional.of("1 run each: differences may be chance.");
        }
        if (groups.stream().noneMatch(group -> !group.baseline().hasInvalidRuns()
                && group.candidates().stream().anyMatch(candidate -> !candidate.hasInvalidRuns()))) {
            return Optional.empty();
        }
        return Optional.of("▲ better, ▼ worse, ≈ x no detectable difference (smallest detectable x %)."
                + (groups.stream().anyMatch(Group::tooFewRuns) ? " No mark: too few runs." : ""));
    }

    private static String marked(Comparison comparison) {
        String mark = switch (comparison.outcome()) {
            case FASTER -> " ▲";
            case SLOWER -> " ▼";
            case NO_DETECTABLE_DIFFERENCE -> " ≈" + comparison.relativeSmallestDetectable()
                    .map(least -> " " + FigureText.detectable(least)).orElse("");
            case TOO_FEW_RUNS, SET_BY_LOAD, NOT_RANKED -> "";
        };
        return new GainText(comparison).text() + mark;
    }

    /// Whether a pair has the metric; total throughput only where there is no output, as llama-bench counts prompts alone.
    private boolean isShown(Metric metric) {
        return groups.stream().anyMatch(group -> !of(group, metric).isEmpty()
                && (!metric.equals(Metrics.TOTAL_THROUGHPUT) || of(group, Metrics.OUTPUT_THROUGHPUT).isEmpty()));
    }

    /// The model is named where all have it.
    private static String load(Group group) {
        return Unrecorded.known(group.baseline().family()).filter(family -> models(group).isEmpty())
                .map(family -> "model " + family + " · ").orElse("") + "workload "
                + ComparedCell.workload(group.baseline());
    }

    private static List<String> footnotes(Group group, List<Comparison> comparisons) {
        List<String> notes =
                new ArrayList<>(List.of("A ratio without a word is candidate / base. " + FigureText.DETECTABLE));
        notes.addAll(Comparison.Pairing.texts(comparisons));
        if (group.candidates().size() > 1 && group.baseline().runs() > 1) {
            notes.add(
                    "Results are Holm-corrected for " + group.candidates().size() + " candidates; intervals are not.");
        }
        models(group).ifPresent(notes::add);
        group.invalid().ifPresent(notes::add);
        group.otherWork().ifPresent(notes::add);
        if (group.tooFewRuns()) {
            notes.add("A result needs 2 runs or more per cell.");
        }
        return notes;
    }

    /// "Models differ: tiny, llama-3.1-8b." Targets whose model is not known are named.
    private static Optional<String> models(Group group) {
        List<ComparedCell> all = Stream.concat(Stream.of(group.baseline()), group.candidates().stream()).toList();
        List<String> models = all.stream().map(BaselineComparison::model).distinct().toList();
        return models.size() < 2 ? Optional.empty() : Optional.of("Models differ: " + String.join(", ", models) + ".");
    }

    private static String model(ComparedCell cell) {
        return !cell.isTarget() ? cell.family() : cell.model().map(model -> NamedPrecision.of(model).rest())
                .filter(rest -> !rest.isEmpty()).orElseGet(() -> "not known (" + cell.subject().system() + ")");
    }

    /// A share of which neither more nor less is better, or that one of the two lacks; empty where both do.
    private static Optional<Row> context(Metric metric, ComparedCell baseline, ComparedCell candidate) {
        Optional<CellFigure> base = baseline.figure(metric);
        Optional<CellFigure> other = candidate.figure(metric);
        if (base.isEmpty() && other.isEmpty()) {
            return Optional.empty();
        }
        List<String> values = base.isPresent() && other.isPresent() ? FigureText.means(base.get(), other.get())
                : Stream.of(base, other).map(figure -> figure.map(each -> FigureText.value(metric.unit(), each.mean()))
                        .orElse(FigureText.NOT_RECORDED)).toList();
        List<Boolean> onCpu = Stream.of(baseline, candidate).filter(cell -> cell.has(metric)).map(ComparedCell::onCpu)
                .distinct().toList();
        String label = !metric.equals(Metrics.DEVICE_UTILISATION) || onCpu.size() > 1 ? metric.label()
                : onCpu.getFirst() ? "CPU utilisation"
                : "GPU utilisation";
        return Optional.of(Row.of(List.of("  " + label + ", " + FigureText.unit(metric.unit()), values.get(0),
                values.get(1), points(metric, baseline, candidate).orElse(FigureText.NOT_APPLICABLE), "",
                FigureText.NOT_APPLICABLE)));
    }

    /// The difference of two shares; empty if one lacks it.
    private static Optional<String> points(Metric metric, ComparedCell baseline, ComparedCell candidate) {
        return baseline.figure(metric)
                .flatMap(base -> candidate.figure(metric).map(other -> FigureText.points(other.mean() - base.mean())));
    }

    private static Row row(Comparison comparison) {
        Unit unit = comparison.metric().unit();
        boolean whole = unit == Unit.BYTES && !comparison.metric().id().equals(Metrics.MODEL_MEMORY_PEAK.id());
        String label = (whole ? "Memory" : comparison.metric().label()) + ", " + FigureText.unit(unit);
        List<String> values = FigureText.means(comparison.base(), comparison.candidate());
        return Row
                .of(List.of("  " + label, values.get(0), values.get(1), new GainText(comparison).withInterval(),
                        comparison.outcome() == Comparison.Outcome.TOO_FEW_RUNS ? FigureText.NOT_APPLICABLE
                                : comparison.outcomeText(),
                        FigureText.detectable(comparison.relativeSmallestDetectable())));
    }
}
