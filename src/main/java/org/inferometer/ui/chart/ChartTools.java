package org.inferometer.ui.chart;

import java.io.IOException;
import java.nio.file.Path;
import javafx.beans.value.ObservableValue;
import org.inferometer.report.charts.ChartRenderer;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.FileDialogs;
import org.inferometer.ui.fx.Messages;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.WindowWork;

/// What charts and exports need from the window.
///
/// @param composer makes the drawing of a chart
/// @param renderer draws exports in the background
/// @param shade theme of the window
/// @param source of the charts, such as the id of a result, for names of files; empty for none
/// @param origin result, day and machine, behind the footer of each chart; empty for none
public record ChartTools(ChartDrawing.Composer composer, ChartRenderer renderer,
        ObservableValue<ChartRenderer.Shade> shade, FileDialogs dialogs, BackgroundWork work, Notifier notifier,
        ChartWindow window, String source, String origin) {
    /// The same with the source of the charts and what their footers say of it, here and in exports.
    public ChartTools from(String result, String shown) {
        return new ChartTools(composer, renderer.from(shown), shade, dialogs, work, notifier, window, result, shown);
    }

    /// Writes a file.
    public interface FileAction {
        /// Blocks; called in the background.
        void write() throws IOException;
    }

    /// Writes a file in the background and notifies the user of the outcome.
    public void write(WindowWork kind, Path file, FileAction action) {
        work.run(kind, () -> {
            action.write();
            return file;
        }, written -> notifier.done(Messages.text("notice.saved", written)),
                failure -> notifier.problem(Messages.text("notice.not-saved", file, ErrorText.sentence(failure))));
    }
}
