package org.inferometer.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.benchmark.ExperimentRecord;
import org.inferometer.report.Reports;

/// The desk that writes what the window's reports show too.
public final class ReportsDesk implements ResultServices.Desk {
    private final Reports reports;

    /// @param reports of the program
    public ReportsDesk(Reports reports) {
        this.reports = reports;
    }

    @Override
    public String summary(ExperimentRecord experiment, int columns) {
        return reports.summary(experiment, columns);
    }

    @Override
    public byte[] report(List<ExperimentRecord> experiments, ResultServices.ReportFormat format) {
        return reports.bytes(experiments, kind(format));
    }

    @Override
    public List<Path> write(List<ExperimentRecord> experiments, ResultServices.ReportFormat format, Path file) throws IOException {
        return reports.write(experiments, kind(format), file);
    }

    @Override
    public List<Path> charts(List<ExperimentRecord> experiments, Path folder) throws IOException {
        return reports.charts(experiments, folder);
    }

    private static org.inferometer.report.ReportFormat kind(ResultServices.ReportFormat format) {
        return org.inferometer.report.ReportFormat.valueOf(format.name());
    }
}
