package org.inferometer.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.benchmark.ExperimentRecord;
import org.inferometer.report.ChartRenderer;
import org.inferometer.report.ComparedCell;
import org.inferometer.report.ComparisonTables;
import org.inferometer.report.ExperimentCharts;
import org.inferometer.report.ReportTable;
import org.inferometer.results.ResultLibrary;
import org.inferometer.ui.results.ExperimentDesk;
import org.inferometer.ui.results.ExperimentReading;
import org.inferometer.ui.results.TextTable;

/// Reads experiments for the window and writes its reports.
record WindowDesk(ResultLibrary library, ChartRenderer renderer) implements ExperimentDesk {
    @Override
    public ExperimentRecord open(Path folder) throws IOException {
        return library.open(folder);
    }

    @Override
    public ExperimentReading read(ExperimentRecord experiment) {
        List<ComparedCell> cells = ComparedCell.of(List.of(experiment.manifest()));
        TextTable table = cells.isEmpty() ? TextTable.empty() : text(new ComparisonTables(cells).throughput());
        return new ExperimentReading(List.of(), table, new ExperimentCharts(experiment).all());
    }

    @Override
    public void saveReport(ExperimentRecord experiment, Path file) throws IOException {
        throw new IOException(file + " " + renderer);
    }

    private static TextTable text(ReportTable table) {
        return new TextTable(
                table.columns().stream().map(ReportTable.Column::headerWithUnit).toList(),
                table.rows().stream().map(ReportTable.Row::cells).toList());
    }
}
