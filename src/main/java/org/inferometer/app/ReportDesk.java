package org.inferometer.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.inferometer.cli.ResultServices;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.Findings;
import org.inferometer.report.ReportTable;
import org.inferometer.report.charts.ExperimentCharts;
import org.inferometer.report.compare.ComparedCell;
import org.inferometer.report.compare.ComparisonTables;
import org.inferometer.report.document.ReportFormat;
import org.inferometer.report.document.Reports;
import org.inferometer.report.document.SchedulerSuite;
import org.inferometer.results.ResultLibrary;
import org.inferometer.ui.results.ExperimentDesk;
import org.inferometer.ui.results.ExperimentReading;
import org.inferometer.ui.results.TextTable;

/// Reads experiments and writes reports, for the command line and for the window alike.
record ReportDesk(ResultLibrary library, Reports reports,
        SchedulerSuite suite) implements ResultServices.Desk, ExperimentDesk {
    @Override
    public String summary(ExperimentRecord experiment, int columns) {
        return reports.summary(experiment, columns);
    }

    @Override
    public byte[] report(List<ExperimentRecord> experiments, ReportFormat format) {
        return reports.bytes(experiments, format);
    }

    @Override
    public List<Path> write(List<ExperimentRecord> experiments, ReportFormat format, Path file) throws IOException {
        return reports.write(experiments, format, file);
    }

    @Override
    public List<Path> charts(List<ExperimentRecord> experiments, Path folder) throws IOException {
        return reports.charts(experiments, folder);
    }

    @Override
    public List<Path> schedulerSuite(ExperimentRecord experiment, Path folder) throws IOException {
        return suite.write(experiment, folder);
    }

    @Override
    public ExperimentRecord open(Path folder) throws IOException {
        return library.open(folder);
    }

    @Override
    public ExperimentReading read(ExperimentRecord experiment) {
        List<ComparedCell> cells = ComparedCell.of(List.of(experiment.manifest()));
        TextTable table = cells.isEmpty() ? TextTable.empty() : text(new ComparisonTables(cells).throughput());
        return new ExperimentReading(Findings.of(experiment), table, new ExperimentCharts(experiment).all());
    }

    @Override
    public void saveReport(ExperimentRecord experiment, Path file) throws IOException {
        boolean markdown = file.toString().toLowerCase(Locale.ROOT).endsWith(".md");
        reports.write(List.of(experiment), markdown ? ReportFormat.MD : ReportFormat.HTML, file);
    }

    /// A heading becomes a row whose other cells are empty.
    private static TextTable text(ReportTable table) {
        int columns = table.columns().size();
        return new TextTable(table.columns().stream().map(ReportTable.Column::headerWithUnit).toList(),
                table.rows().stream().map(
                        row -> Stream.concat(row.cells().stream(), Stream.generate(() -> "")).limit(columns).toList())
                        .toList());
    }
}
