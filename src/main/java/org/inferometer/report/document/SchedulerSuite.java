package org.inferometer.report.document;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.charts.ChartFormat;
import org.inferometer.report.charts.ChartRenderer;
import org.inferometer.report.charts.ChartRenderer.Picture;
import org.inferometer.report.charts.ChartSheet;
import org.inferometer.report.charts.ChartSource;
import org.inferometer.report.charts.SchedulerCharts;
import org.inferometer.results.TextAnonymizer;
import org.inferometer.results.UnfinishedFolder;

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
}
