package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.compare.ResultComparison;
import org.inferometer.report.document.ReportFormat;
import org.inferometer.report.document.ReportOutline;
import org.inferometer.report.document.Reports;
import org.inferometer.ui.chart.ChartTools;
import org.inferometer.ui.fx.FileDialogs.FileType;
import org.inferometer.ui.fx.WindowWork;

/// Asks for a file and writes a report to it in the background. Belongs to the UI thread.
///
/// @param tools dialogs, background and notifications of the window
public record ReportSaver(ChartTools tools, ResultTools results) {
    /// Saves a report of an experiment; the ending of the file decides its format.
    public void save(ExperimentRecord experiment) {
        save(experiment.manifest().id(), List.of(ReportFormat.values()),
                (format, file) -> results.saveReport(experiment, format, file));
    }

    /// Saves a report of a comparison.
    ///
    /// @param command makes the same comparison
    void save(ResultComparison comparison, String command) {
        save("comparison", Reports.OF_COMPARISONS,
                (format, file) -> results.reports().of(comparison, command, ReportOutline.USUAL).write(format, file));
    }

    private void save(String name, List<ReportFormat> formats, Writing writing) {
        tools.dialogs().save(text("report.save-title"), name + ".html", formats.stream()
                .map(format -> new FileType(text("file." + format.extension()), "*." + format.extension())).toList())
                .ifPresent(file -> ReportFormat.of(file).filter(formats::contains).ifPresentOrElse(
                        format -> tools.write(WindowWork.REPORT, file, () -> writing.write(format, file)),
                        () -> tools.notifier().problem(text("report.unknown-ending", file.getFileName(), formats
                                .stream().map(format -> "." + format.extension()).collect(Collectors.joining(", "))))));
    }

    private interface Writing {
        void write(ReportFormat format, Path file) throws IOException;
    }
}
