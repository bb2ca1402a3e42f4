package org.inferometer.report.document;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.inferometer.experiment.FieldType;
import org.inferometer.experiment.RunCommandLine;
import org.inferometer.measurement.comparison.Comparison;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.Metric.Unit;
import org.inferometer.report.compare.BaselineComparison;
import org.inferometer.report.compare.ComparedCell;
import org.inferometer.report.compare.Findings;
import org.inferometer.report.compare.SchedulerExplanations;
import org.inferometer.report.compare.SchedulerExplanations.CellExplanation;
import org.inferometer.results.TextAnonymizer;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.workload.ArrivalProcess;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// Figures for programs: raw values in base units; only nanoseconds and bytes are rounded. An absent value is an empty field in CSV
/// and no field in JSON.
public record FigureExport(List<ExperimentRecord> records, SchedulerRegistry schedulers, TextAnonymizer safe) {
    private static final List<String> CSV_COLUMNS = List.of("experiment", "cell", "engine", "model", "precision",
            "scheduler", "workload", "requests", "arrivals", "backend", "metric", "unit", "mean", "ci95_half_width",
            "ci95_low", "ci95_high", "runs", "samples", "fewest_samples_of_a_run", "enough_samples",
            "independent_samples", "run_values", "baseline", "improvement", "improvement_ci95_low",
            "improvement_ci95_high", "smallest_detectable", "pairs", "outcome");

    /// One row per figure of a cell.
    public byte[] csv() {
        CsvText out = new CsvText(CSV_COLUMNS);
        for (ExperimentRecord record : records) {
            List<ComparedCell> cells = ComparedCell.of(List.of(record.manifest()));
            BaselineComparison improvements = BaselineComparison.overBaselines(cells, List.of(record.manifest()));
            for (CellSummary cell : record.manifest().cells()) {
                for (CellFigure figure : cell.figures()) {
                    List<String> row = new ArrayList<>(fields(record.manifest(), cell, figure));
                    row.addAll(improvement(improvements.of(figure.metric()), cell));
                    out.row(row);
                }
            }
        }
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }

    private List<String> fields(ExperimentManifest manifest, CellSummary cell, CellFigure figure) {
        Unit unit = figure.metric().unit();
        return List.of(safe.of(manifest.id()), Integer.toString(cell.cellIndex()),
                safe.of(cell.cell().subject().model().orElse("")), safe.of(cell.model()), cell.precision(),
                cell.cell().subject().system(), safe.of(cell.cell().workload().name()),
                requests(cell).map(String::valueOf).orElse(""),
                ImportedExperiment.arrivals(manifest, cell).map(ArrivalProcess::toString).orElse(""),
                safe.of(cell.cell().subject().platform()), figure.metric().id(), unitWord(unit),
                raw(unit, figure.mean()), figure.interval().map(half -> raw(unit, half)).orElse(""),
                figure.ends().map(ends -> raw(unit, ends.low())).orElse(""),
                figure.ends().map(ends -> raw(unit, ends.high())).orElse(""), Integer.toString(figure.runs()),
                Long.toString(figure.n()), Long.toString(figure.fewest()), Boolean.toString(!figure.isMarked()),
                independent(figure).map(String::valueOf).orElse(""),
                figure.runValues().stream().map(value -> raw(unit, value)).collect(Collectors.joining(" ")));
    }

    private static Optional<Long> independent(CellFigure figure) {
        return Optional.ofNullable(figure.pooled()).map(pooled -> Math.round(pooled.independent()));
    }

    /// Absent if a duration or a file ends the load.
    private static Optional<Integer> requests(CellSummary cell) {
        return Optional.of(cell.cell().workload().requests()).filter(requests -> requests > 0);
    }

    /// Empty fields for the baseline itself and for figures that have no better direction.
    private static List<String> improvement(List<BaselineComparison.Improvement> improvements, CellSummary cell) {
        return improvements.stream().filter(each -> each.candidate().summary().cellIndex() == cell.cellIndex())
                .findFirst()
                .map(each -> List.of(Integer.toString(each.baseline().summary().cellIndex()),
                        each.comparison().improvement().map(FieldType::plain).orElse(""),
                        each.comparison().improvementInterval().map(range -> FieldType.plain(range.low())).orElse(""),
                        each.comparison().improvementInterval().map(range -> FieldType.plain(range.high())).orElse(""),
                        each.comparison().relativeSmallestDetectable().map(FieldType::plain).orElse(""),
                        Integer.toString(each.comparison().pairing().pairs()), outcome(each.comparison())))
                .orElse(List.of("", "", "", "", "", "", ""));
    }

    private static String outcome(Comparison comparison) {
        return comparison.outcomeText().replace(' ', '_');
    }

    /// The whole report.
    public byte[] json() {
        List<Map<String, Object>> experiments = records.stream().map(this::experiment).toList();
        JsonMapper mapper = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("formatVersion", 1);
        root.put("kind", "inferometer-report");
        root.put("experiments", experiments);
        return mapper.writeValueAsBytes(root);
    }

    private Map<String, Object> experiment(ExperimentRecord record) {
        ExperimentManifest manifest = record.manifest();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", safe.of(manifest.id()));
        json.put("started", manifest.times().start().map(Instant::toString).orElse(null));
        if (manifest.times().imported() != null) {
            json.put("imported", manifest.times().imported().toString());
        }
        json.put("status", manifest.status().id());
        if (manifest.verdict() != null) {
            json.put("verdict", manifest.verdict().grade().name().toLowerCase(Locale.ROOT));
        }
        if (!ImportedExperiment.isImported(manifest)) {
            json.put("machine", manifest.machine());
        }
        json.put("command", safe.of(RunCommandLine.lines(manifest.spec())));
        json.put("findings", Findings.of(record).stream().map(safe::of).toList());
        json.put("improvements", improvements(manifest));
        json.put("explanations", SchedulerExplanations.of(record, schedulers).stream().map(this::explanation).toList());
        json.put("cells", manifest.cells().stream().map(cell -> cell(manifest, cell)).toList());
        return json;
    }

    private List<Map<String, Object>> improvements(ExperimentManifest manifest) {
        BaselineComparison improvements =
                BaselineComparison.overBaselines(ComparedCell.of(List.of(manifest)), List.of(manifest));
        return manifest.cells().stream().flatMap(cell -> cell.figures().stream().map(CellFigure::metric)).distinct()
                .flatMap(metric -> improvements.of(metric).stream()).map(FigureExport::improvement).toList();
    }

    private static Map<String, Object> improvement(BaselineComparison.Improvement each) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("metric", each.comparison().metric().id());
        json.put("baseline", each.baseline().summary().cellIndex());
        json.put("cell", each.candidate().summary().cellIndex());
        each.comparison().improvement().ifPresent(gain -> json.put("improvement", gain));
        each.comparison().improvementInterval().ifPresent(range -> {
            json.put("ci95Low", range.low());
            json.put("ci95High", range.high());
        });
        each.comparison().relativeSmallestDetectable().ifPresent(least -> json.put("smallestDetectable", least));
        json.put("pairs", each.comparison().pairing().pairs());
        json.put("outcome", outcome(each.comparison()));
        return json;
    }

    private Map<String, Object> explanation(CellExplanation each) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("cell", each.cellIndex());
        json.put("label", safe.of(each.cellLabel()));
        json.put("scheduler", safe.of(each.scheduler()));
        json.put("whenItWins", each.whenItWins());
        json.put("seen", each.seen());
        return json;
    }

    private Map<String, Object> cell(ExperimentManifest manifest, CellSummary cell) {
        Map<String, Object> json = new LinkedHashMap<>();
        cell.cell().subject().model().ifPresent(model -> json.put("engine", safe.of(model)));
        json.put("model", safe.of(cell.model()));
        json.put("precision", cell.precision());
        json.put("scheduler", cell.cell().subject().system());
        json.put("workload", safe.of(cell.cell().workload().name()));
        requests(cell).ifPresent(requests -> json.put("requests", requests));
        ImportedExperiment.arrivals(manifest, cell).ifPresent(arrivals -> json.put("arrivals", arrivals.toString()));
        json.put("backend", safe.of(cell.cell().subject().platform()));
        json.put("runs", cell.runs());
        Map<String, Object> figures = new LinkedHashMap<>();
        for (CellFigure figure : cell.figures()) {
            Map<String, Object> value = new LinkedHashMap<>();
            value.put("unit", unitWord(figure.metric().unit()));
            value.put("mean", figure.mean());
            figure.interval().ifPresent(half -> value.put("ci95HalfWidth", half));
            figure.ends().ifPresent(ends -> {
                value.put("ci95Low", ends.low());
                value.put("ci95High", ends.high());
            });
            if (figure.bucket() instanceof CellFigure.Ends(double low, double high)) {
                value.put("bucketLow", low);
                value.put("bucketHigh", high);
            }
            value.put("runs", figure.runs());
            value.put("samples", figure.n());
            value.put("fewestSamplesOfARun", figure.fewest());
            value.put("enoughSamples", !figure.isMarked());
            independent(figure).ifPresent(n -> value.put("independentSamples", n));
            value.put("runValues", figure.runValues());
            figures.put(figure.metric().id(), value);
        }
        json.put("figures", figures);
        return json;
    }

    private static String unitWord(Unit unit) {
        return switch (unit) {
            case NANOSECONDS -> "ns";
            case PER_SECOND_REQUESTS -> "requests/s";
            case PER_SECOND_TOKENS -> "tokens/s";
            case FRACTION -> "fraction";
            case BYTES -> "bytes";
            case COUNT -> "count";
            case JOULES_PER_TOKEN -> "J/token";
            case WATTS -> "W";
            case PRICE_PER_MILLION_TOKENS -> "per 1M tokens";
            case RATIO -> "ratio";
        };
    }

    private static String raw(Unit unit, double value) {
        return unit == Unit.NANOSECONDS || unit == Unit.BYTES ? Long.toString(Math.round(value))
                : FieldType.plain(value);
    }
}
