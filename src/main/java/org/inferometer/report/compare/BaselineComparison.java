package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.inferometer.measurement.Comparison;
import org.inferometer.measurement.Comparisons;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.Metric.Unit;
import org.inferometer.report.FigureText;
import org.inferometer.report.ReportTable;
import org.inferometer.report.ReportTable.Column;
import org.inferometer.report.ReportTable.Row;

/// What cells gain over a baseline, figure by figure, over runs. Only cells of the same model under the same load are compared.
public final class BaselineComparison {
    private static final List<String> METRICS = List.of("request_throughput", "output_throughput", "ttft_p50",
            "ttft_p95", "itl_p50", "e2e_mean", "e2e_p95", "memory_peak_total");
    private static final List<String> FEW_METRICS =
            List.of("output_throughput", "ttft_p50", "e2e_p95", "memory_peak_total");
    private static final Map<String, String> OVERVIEW = overviewLabels();
    private static final int MANY_CANDIDATES = 3;
    private final List<Group> groups;

    private record Group(ComparedCell baseline, List<ComparedCell> candidates) {}

    /// One candidate's figure against its baseline's.
    public record Improvement(ComparedCell baseline, ComparedCell candidate, Comparison comparison) {}

    private static Map<String, String> overviewLabels() {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("request_throughput", "Requests/s");
        labels.put("output_throughput", "Output tok/s");
        labels.put("ttft_p50", "TTFT P50");
        labels.put("itl_p50", "ITL P50");
        labels.put("e2e_mean", "E2E mean");
        labels.put("e2e_p95", "E2E P95");
        labels.put("memory_peak_total", "Memory");
        return labels;
    }

    private BaselineComparison(List<Group> groups) {
        this.groups = groups;
    }

    /// Against the first cell of each model and load that runs the baseline of its experiment; where none does, against the first.
    ///
    /// @param experiments those that the cells belong to
    public static BaselineComparison overBaselines(List<ComparedCell> cells, List<ExperimentManifest> experiments) {
        Map<String, String> baselines = new HashMap<>();
        experiments.forEach(experiment -> experiment.spec().baselineSystem()
                .ifPresent(scheduler -> baselines.put(experiment.id(), scheduler)));
        return over(cells, cell -> cell.summary().cell().subject().system().equals(baselines.get(cell.experiment())));
    }

    /// Against the cell of each model and load that has this label or, where there is none, the first.
    public static BaselineComparison over(List<ComparedCell> cells, String baselineLabel) {
        return over(cells, cell -> cell.label().equals(baselineLabel));
    }

    private static BaselineComparison over(List<ComparedCell> cells, Predicate<ComparedCell> isBaseline) {
        Map<Object, List<ComparedCell>> byLoad = new LinkedHashMap<>();
        for (ComparedCell cell : cells) {
            Object load = List.of(cell.summary().model(), cell.summary().cell().workload());
            byLoad.computeIfAbsent(load, key -> new ArrayList<>()).add(cell);
        }
        List<Group> groups = new ArrayList<>();
        for (List<ComparedCell> group : byLoad.values()) {
            ComparedCell baseline = group.stream().filter(isBaseline).findFirst().orElse(group.getFirst());
            List<ComparedCell> candidates = group.stream().filter(cell -> cell != baseline).toList();
            if (!candidates.isEmpty()) {
                groups.add(new Group(baseline, candidates));
            }
        }
        return new BaselineComparison(groups);
    }

    /// Every comparison of a metric; the candidates of one baseline are judged together.
    public List<Improvement> of(String metricId) {
        return groups.stream().flatMap(group -> of(group, metricId).stream()).toList();
    }

    private static List<Improvement> of(Group group, String metricId) {
        List<Improvement> improvements = new ArrayList<>();
        Optional<CellFigure> base = group.baseline().figure(metricId);
        List<ComparedCell> told =
                group.candidates().stream().filter(cell -> cell.figure(metricId).isPresent()).toList();
        if (base.isPresent() && Comparisons.comparable(base.get().metric())) {
            List<CellFigure> figures = told.stream().map(cell -> cell.figure(metricId).orElseThrow()).toList();
            List<Comparison> comparisons = Comparisons.against(base.get(), figures);
            for (int c = 0; c < told.size(); c++) {
                improvements.add(new Improvement(group.baseline(), told.get(c), comparisons.get(c)));
            }
        }
        return improvements;
    }

    /// One table a baseline: each candidate's figures with improvement, interval and what can be said.
    public List<ReportTable> tables() {
        return groups.stream().map(this::table).toList();
    }

    private ReportTable table(Group group) {
        List<Row> rows = new ArrayList<>();
        List<String> metrics = group.candidates().size() > MANY_CANDIDATES ? FEW_METRICS : METRICS;
        Map<String, List<Improvement>> byMetric = byMetric(group, metrics);
        for (ComparedCell candidate : group.candidates()) {
            rows.add(Row.heading(candidate.label()));
            for (List<Improvement> improvements : byMetric.values()) {
                improvements.stream().filter(each -> each.candidate() == candidate)
                        .forEach(own -> rows.add(row(own.comparison())));
            }
        }
        List<Column> columns = List.of(Column.text("Figure"), Column.number("Base", ""), Column.number("Candidate", ""),
                Column.number("Improvement", "% [95 %]"), Column.text("Verdict"), Column.number("Detectable", "%"));
        return new ReportTable("Improvement over " + group.baseline().label(), load(group.baseline()), columns, rows,
                footnotes(group));
    }

    /// A quick look: a row a candidate under the load of its baseline, the improvement of the main figures in per cent, marked only
    /// where the interval over runs supports it. Empty where there is nothing to compare.
    public Optional<ReportTable> overview() {
        if (groups.isEmpty()) {
            return Optional.empty();
        }
        List<Column> columns = new ArrayList<>(List.of(Column.text("Candidate")));
        OVERVIEW.values().forEach(label -> columns.add(Column.number(label, "%")));
        List<Row> rows = new ArrayList<>();
        for (Group group : groups) {
            if (groups.size() > 1) {
                rows.add(Row.heading(load(group.baseline()) + baselineUnlessShared(group)));
            }
            Map<String, List<Improvement>> byMetric = byMetric(group, OVERVIEW.keySet());
            for (ComparedCell candidate : group.candidates()) {
                rows.add(Row.of(overview(candidate, byMetric)));
            }
        }
        String caption = groups.size() > 1 ? "" : load(groups.getFirst().baseline());
        return Optional.of(new ReportTable("Improvement over " + sharedBaseline().orElse("the first cell of each load"),
                caption, columns, rows, List.of(meaning())));
    }

    private static List<String> overview(ComparedCell candidate, Map<String, List<Improvement>> byMetric) {
        List<String> row = new ArrayList<>(List.of(candidate.name()));
        byMetric.values()
                .forEach(improvements -> row.add(improvements.stream().filter(each -> each.candidate() == candidate)
                        .findFirst().map(each -> marked(each.comparison())).orElse(FigureText.NOT_APPLICABLE)));
        return row;
    }

    private Map<String, List<Improvement>> byMetric(Group group, Collection<String> metrics) {
        Map<String, List<Improvement>> byMetric = new LinkedHashMap<>();
        metrics.forEach(metric -> byMetric.put(metric, of(group, metric)));
        return byMetric;
    }

    private Optional<String> sharedBaseline() {
        List<String> names = groups.stream().map(group -> group.baseline().name()).distinct().toList();
        return names.size() == 1 ? Optional.of(names.getFirst()) : Optional.empty();
    }

    private String baselineUnlessShared(Group group) {
        return sharedBaseline().isPresent() ? "" : " · over " + group.baseline().name();
    }

    private String meaning() {
        String direction = "Plus is better, except for memory, where plus is more.";
        if (groups.stream().allMatch(BaselineComparison::tooFewRuns)) {
            return direction + " One run a cell: nothing is marked, since differences may be chance.";
        }
        return direction + " ▲ better, ▼ worse; ≈ x no detectable difference, the smallest detectable is x %."
                + (groups.stream().anyMatch(BaselineComparison::tooFewRuns) ? " Without a mark there are too few runs."
                        : "");
    }

    private static boolean tooFewRuns(Group group) {
        return group.baseline().summary().runs() < 2
                || group.candidates().stream().anyMatch(cell -> cell.summary().runs() < 2);
    }

    private static String marked(Comparison comparison) {
        Optional<Double> gain =
                comparison.metric().unit() == Unit.BYTES ? comparison.change() : comparison.improvement();
        String mark = switch (comparison.outcome()) {
            case FASTER -> " ▲";
            case SLOWER -> " ▼";
            case NO_DETECTABLE_DIFFERENCE ->
                " ≈" + comparison.relativeSmallestDetectable().map(least -> " " + FigureText.percent(least)).orElse("");
            case TOO_FEW_RUNS -> "";
        };
        return gain.map(FigureText::signed).orElse(FigureText.NOT_APPLICABLE) + mark;
    }

    private static String load(ComparedCell cell) {
        return "model " + cell.summary().model() + " · workload " + cell.summary().cell().workload().name() + " ("
                + cell.summary().cell().workload().sizeInWords() + ", " + cell.summary().cell().workload().arrivals()
                + ")";
    }

    private List<String> footnotes(Group group) {
        List<String> notes = new ArrayList<>();
        notes.add(
                "Plus is better, except for memory overhead, where plus is more. Detectable is the smallest difference that would be found four"
                        + " times in five.");
        if (group.candidates().size() > 1 && group.baseline().summary().runs() > 1) {
            notes.add("Verdicts are over runs and corrected for " + group.candidates().size()
                    + " candidates after Holm; intervals are not.");
        }
        if (tooFewRuns(group)) {
            notes.add("A verdict needs at least two runs of each cell; with one, the difference may be chance.");
        }
        return notes;
    }

    private static Row row(Comparison comparison) {
        Unit unit = comparison.metric().unit();
        boolean overhead = unit == Unit.BYTES;
        String label = (overhead ? "Memory overhead" : comparison.metric().label()) + ", " + FigureText.unit(unit);
        Optional<Double> gain = overhead ? comparison.change() : comparison.improvement();
        List<String> values = FigureText.means(comparison.base(), comparison.candidate());
        String improvement =
                gain.map(FigureText::signed).orElse(FigureText.NOT_APPLICABLE) + interval(gain, comparison);
        String detectable =
                comparison.relativeSmallestDetectable().map(FigureText::percent).orElse(FigureText.NOT_APPLICABLE);
        return Row
                .of(List.of("  " + label, values.get(0), values.get(1), improvement, verdict(comparison), detectable));
    }

    private static String interval(Optional<Double> gain, Comparison comparison) {
        Optional<Double> half = comparison.relativeHalfWidth();
        if (gain.isEmpty() || half.isEmpty()) {
            return "";
        }
        return " [" + FigureText.percent(gain.get() - half.get()) + ", " + FigureText.percent(gain.get() + half.get())
                + "]";
    }

    /// The word, where the interval supports one.
    static String verdict(Comparison comparison) {
        return comparison.outcome() == Comparison.Outcome.TOO_FEW_RUNS ? "too few runs for a verdict"
                : comparison.words();
    }
}
