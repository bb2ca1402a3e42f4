package org.inferometer.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.cli.ResultServices;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.document.ReportFormat;
import org.inferometer.report.document.Reports;
import org.inferometer.report.document.SchedulerSuite;

/// Reads experiments and writes reports, for the command line.
record ReportDesk(Reports reports, SchedulerSuite suite) implements ResultServices.Desk {
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

}
