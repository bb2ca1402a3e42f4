package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import java.util.List;
import java.util.stream.Collectors;
import org.inferometer.report.document.ReportFormat;
import org.inferometer.report.document.ReportOutline;
import org.inferometer.report.document.Reports;
import org.inferometer.ui.chart.ChartTools;
import org.inferometer.ui.fx.FileDialogs.FileType;
import org.inferometer.ui.fx.WindowWork;

/// Asks for a file and writes a report to it in the background. Belongs to the UI thread.
///
/// @param tools dialogs, background and notifications of the window
public record ReportSaver(ChartTools tools, Reports reports) {
    /// Saves a report; the ending of the file decides its format.
    public void save(ReportSubject subject) {
        List<ReportFormat> formats = subject.formats();
        tools.dialogs()
                .save(text("report.save-title"), subject.name() + ".html",
                        formats.stream().map(
                                format -> new FileType(text("file." + format.extension()), "*." + format.extension()))
                                .toList())
                .ifPresent(file -> ReportFormat.of(file).filter(formats::contains).ifPresentOrElse(
                        format -> tools.write(WindowWork.REPORT, file,
                                () -> subject.in(reports, ReportOutline.USUAL).write(format, file)),
                        () -> tools.notifier().problem(text("report.unknown-ending", file.getFileName(), formats
                                .stream().map(format -> "." + format.extension()).collect(Collectors.joining(", "))))));
    }
}
