package org.inferometer.report.document;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.Subject;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.RunFigures;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.Figure;
import org.inferometer.record.Metric;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.report.charts.ChartRenderer;
import org.inferometer.report.charts.ChartRenderer.ChartFormat;
import org.inferometer.report.charts.ChartRenderer.Picture;
import org.inferometer.report.charts.ChartSheet;
import org.inferometer.report.charts.ChartSource;
import org.inferometer.report.charts.LatencySamples;
import org.inferometer.report.charts.SchedulerCharts;
import org.inferometer.results.TextAnonymizer;
import org.inferometer.results.UnfinishedFolder;
import org.inferometer.workload.RequestId;

/// Writes experiments as the usual files of scheduler benchmarks: two tables, a report and charts. Anonymized. Thread-safe.
public final class SchedulerSuite {
    private static final String SUMMARIES = "benchmark_summaries.csv";
    private static final String DETAILS = "benchmark_detailed_metrics.csv";
    private static final String REPORT = "benchmark_report.txt";
    private static final int REPORT_COLUMNS = 100;
    private static final int PANEL_WIDTH = 760;
    private static final int PANEL_HEIGHT = 440;
    private static final double SCALE = 2;
    private final Reports reports;
    private final ChartRenderer renderer;
    private final TextAnonymizer safe;

    /// @param safe removes host, user and paths
    public SchedulerSuite(Reports reports, ChartRenderer renderer, TextAnonymizer safe) {
        this.reports = reports;
        this.renderer = renderer;
        this.safe = safe;
    }

    /// Writes `benchmark_summaries.csv`, `benchmark_detailed_metrics.csv`, `benchmark_report.txt` and the charts
    /// `throughput_comparison`, `latency_comparison`, `latency_distribution`, `scheduler_comparison_bars`, `kv_use` and `lane_use` as
    /// PNG into the folder; creates it if missing.
    ///
    /// @param experiments at least one
    /// @return the files written, in that order
    public List<Path> write(List<ExperimentRecord> experiments, Path folder) throws IOException {
        TextAnonymizer own = safe.with(experiments);
        SuiteTables tables = new SuiteTables(experiments, own);
        Map<String, byte[]> contents = new LinkedHashMap<>();
        contents.put(SUMMARIES, tables.summaries().getBytes(StandardCharsets.UTF_8));
        contents.put(DETAILS, tables.requests().getBytes(StandardCharsets.UTF_8));
        contents.put(REPORT,
                reports.of(experiments, ReportOutline.USUAL).text(REPORT_COLUMNS).getBytes(StandardCharsets.UTF_8));
        String source = own.of(experiments.stream().map(ExperimentRecord::manifest).map(ChartSource::of).distinct()
                .collect(Collectors.joining(", ")));
        for (ChartSheet sheet : new SchedulerCharts(experiments).sheets()) {
            contents.put(sheet.id() + ".png", renderer.draw(sheet.withText(own::of).from(source),
                    new Picture(ChartFormat.PNG, PANEL_WIDTH, PANEL_HEIGHT, SCALE, ChartRenderer.Shade.LIGHT)));
        }
        return UnfinishedFolder.write(folder, contents);
    }

    /// The first file in the folder that [#write] would replace; empty if there is none.
    public static Optional<Path> inTheWay(Path folder) {
        return Stream.of(SUMMARIES, DETAILS, REPORT).map(folder::resolve).filter(Files::exists).findFirst();
    }

    /// The two tables of a scheduler suite as CSV: a row per complete run, and a row per request. Times are in seconds. Fields without a
    /// recorded value (texts that were not kept, the latency of a failed request) are empty.
    public static final class SuiteTables {
        private static final List<String> SUMMARY_COLUMNS = List.of("scheduler", "request_size", "run_num",
                "throughput_req_per_sec", "throughput_tokens_per_sec", "avg_latency", "min_latency", "max_latency",
                "p50_latency", "p95_latency", "p99_latency", "success_count", "failure_count", "wall_time", "engine",
                "workload", "backend", "limits", "result", "scheduler_options");
        private static final List<String> REQUEST_COLUMNS = List.of("scheduler", "request_size", "run_num", "request",
                "latency", "ttft", "input_tokens", "output_tokens", "tokens_per_sec", "prompt", "generated_text",
                "error", "engine", "workload", "backend", "limits", "result", "scheduler_options");
        private final List<ExperimentRecord> records;
        private final TextAnonymizer safe;

        /// @param records at least one
        public SuiteTables(List<ExperimentRecord> records, TextAnonymizer safe) {
            this.records = List.copyOf(records);
            this.safe = safe;
        }

        private static List<RunRecord> complete(ExperimentRecord record) {
            return record.runs().stream().filter(run -> run.manifest().status() == RunStatus.COMPLETE).toList();
        }

        /// A row per complete run, in their order.
        public String summaries() {
            CsvText csv = new CsvText(SUMMARY_COLUMNS);
            records.forEach(record -> complete(record).forEach(run -> csv.row(row(record, run, summary(run)))));
            return csv.toString();
        }

        /// A row per measured request, by run.
        public String requests() {
            CsvText csv = new CsvText(REQUEST_COLUMNS);
            for (ExperimentRecord record : records) {
                for (RunRecord run : complete(record)) {
                    Map<RequestId, RunEvent.RequestText> texts = texts(run);
                    measured(run).forEach(request -> csv
                            .row(row(record, run, request(request, Optional.ofNullable(texts.get(request.id()))))));
                }
            }
            return csv.toString();
        }

        /// Some values of a run, between what it ran and its setting, which tells cells apart that are alike in all other columns. Options of
        /// a scheduler are one of these, so that a script finds a scheduler by its name.
        private List<String> row(ExperimentRecord record, RunRecord run, List<String> values) {
            Cell cell = run.manifest().plan().cell();
            Subject subject = cell.subject();
            Optional<Selection> scheduler = subject instanceof Subject.EngineSubject engine
                    ? Optional.of(engine.scheduler()) : Optional.empty();
            String name = scheduler.map(Selection::name).orElse(subject.system());
            List<String> row = new ArrayList<>(List.of(safe.of(name), Integer.toString(size(run)),
                    Integer.toString(run.manifest().plan().index().repetition() + 1)));
            row.addAll(values);
            row.addAll(List.of(safe.of(subject.model().orElse("")), safe.of(cell.workload().name()),
                    safe.of(subject.platform()),
                    subject instanceof Subject.EngineSubject engine ? engine.limits().text() : "",
                    safe.of(record.manifest().id()),
                    safe.of(scheduler.map(each -> each.toString().substring(each.name().length())).orElse("")
                            .replaceFirst("^:", ""))));
            return row;
        }

        private static List<String> summary(RunRecord run) {
            List<RequestOutcome> requests = measured(run);
            long ok = requests.stream().filter(RequestOutcome::ok).count();
            List<Figure> figures = RunFigures.of(run.observations());
            double[] latencies = LatencySamples.E2E.of(List.of(run));
            return List.of(rate(figures, Metrics.REQUEST_THROUGHPUT), rate(figures, Metrics.OUTPUT_THROUGHPUT),
                    seconds(figures, Metrics.E2E.mean()), latencies.length == 0 ? "" : decimal(latencies[0] / 1e9),
                    latencies.length == 0 ? "" : decimal(latencies[latencies.length - 1] / 1e9),
                    seconds(figures, Metrics.E2E.p50()), seconds(figures, Metrics.E2E.p95()),
                    seconds(figures, Metrics.E2E.p99()), Long.toString(ok), Long.toString(requests.size() - ok),
                    seconds(figures, Metrics.WINDOW));
        }

        private static Map<RequestId, RunEvent.RequestText> texts(RunRecord run) {
            return run.events().stream().filter(RunEvent.RequestText.class::isInstance)
                    .map(RunEvent.RequestText.class::cast)
                    .collect(Collectors.toMap(RunEvent.RequestText::request, text -> text, (first, last) -> last));
        }

        private List<String> request(RequestOutcome request, Optional<RunEvent.RequestText> text) {
            Optional<Double> latency = since(request, request.lastTokenNanos());
            return List.of(Integer.toString(request.id().index()), latency.map(SuiteTables::decimal).orElse(""),
                    since(request, request.firstTokenNanos()).map(SuiteTables::decimal).orElse(""),
                    Integer.toString(request.promptTokens()), Integer.toString(request.outputTokens()),
                    latency.filter(seconds -> seconds > 0).map(seconds -> decimal(request.outputTokens() / seconds))
                            .orElse(""),
                    text.map(each -> safe.of(each.prompt())).orElse(""),
                    text.map(each -> safe.of(each.answer())).orElse(""), request.ok() ? "" : safe.of(error(request)));
        }

        private static String error(RequestOutcome request) {
            String status = request.status().id();
            return request.reason().isEmpty() ? status : status + ": " + request.reason();
        }

        private static List<RequestOutcome> measured(RunRecord run) {
            return run.observations().requests().measured();
        }

        /// The planned requests; those of the run if the load ends by time or with its file.
        private static int size(RunRecord run) {
            int asked = run.manifest().plan().workload().requests();
            return asked > 0 ? asked : measured(run).size();
        }

        /// Seconds since the intended send time, of ok requests.
        private static Optional<Double> since(RequestOutcome request, long nanos) {
            boolean known =
                    request.ok() && nanos != RequestOutcome.ABSENT && request.intendedNanos() != RequestOutcome.ABSENT;
            return known ? Optional.of((nanos - request.intendedNanos()) / 1e9) : Optional.empty();
        }

        private static String rate(List<Figure> figures, Metric metric) {
            return RunFigures.find(figures, metric).map(figure -> decimal(figure.value())).orElse("");
        }

        private static String seconds(List<Figure> figures, Metric metric) {
            return RunFigures.find(figures, metric).map(figure -> decimal(figure.value() / 1e9)).orElse("");
        }

        private static String decimal(double value) {
            return BigDecimal.valueOf(value).setScale(6, RoundingMode.HALF_EVEN).stripTrailingZeros().toPlainString();
        }
    }
}
