package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.compare.ResultComparison;
import org.inferometer.ui.fx.ChartTools;
import org.inferometer.ui.fx.FileDialogs.FileType;

/// Asks for a file and writes a report to it in the background. Belongs to the UI thread.
///
/// @param tools dialogs, background and notifications of the window
public record ReportSaver(ChartTools tools, ResultTools results) {
    /// Saves a report of an experiment; the ending of the file decides its format.
    public void save(ExperimentRecord experiment) {
        choose(experiment.manifest().id())
                .ifPresent(file -> tools.write(file, () -> results.saveReport(experiment, file)));
    }

    /// Saves a report of a comparison.
    ///
    /// @param command makes the same comparison
    void save(ResultComparison comparison, String command) {
        choose("comparison")
                .ifPresent(file -> tools.write(file, () -> results.reports().write(comparison, command, file)));
    }

    private Optional<Path> choose(String name) {
        return tools.dialogs().save(text("report.save-title"), name + ".html",
                List.of(new FileType(text("file.html"), "*.html"), new FileType(text("file.markdown"), "*.md")));
    }
}
