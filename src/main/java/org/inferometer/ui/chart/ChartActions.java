package org.inferometer.ui.chart;

import java.io.ByteArrayInputStream;
import java.util.Arrays;
import java.util.List;
import javafx.scene.image.Image;
import javafx.scene.input.Clipboard;
import javafx.scene.input.ClipboardContent;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartFormat;
import org.inferometer.report.charts.ChartRenderer;
import org.inferometer.report.charts.ChartRenderer.Picture;
import org.inferometer.results.AtomicFile;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.FileDialogs;
import org.inferometer.ui.fx.Messages;
import org.inferometer.ui.fx.TextClipboard;

/// Exports a chart, copies its image or its data. Images are drawn in the background.
final class ChartActions {
    private static final int EXPORT_WIDTH = 960;
    private static final int EXPORT_HEIGHT = 540;
    private static final double EXPORT_SCALE = 2;

    private ChartActions() {}

    /// Exports in the format that the ending of the file names, in the light theme.
    static void export(ChartTools tools, ChartData data) {
        List<FileDialogs.FileType> types = Arrays.stream(ChartFormat.values())
                .map(format -> new FileDialogs.FileType(Messages.text("file." + format.id()), "*." + format.id()))
                .toList();
        tools.dialogs().save(Messages.text("chart.export.title"), data.id() + "." + ChartFormat.PNG.id(), types)
                .ifPresent(
                        file -> ChartFormat.of(file).ifPresentOrElse(
                                format -> tools.write(file,
                                        () -> AtomicFile.write(file,
                                                tools.renderer().draw(data,
                                                        picture(format, ChartRenderer.Shade.LIGHT)))),
                                () -> tools.notifier()
                                        .problem(Messages.text("chart.export.unknown-ending", file.getFileName()))));
    }

    private static Picture picture(ChartFormat format, ChartRenderer.Shade shade) {
        return new Picture(format, EXPORT_WIDTH, EXPORT_HEIGHT, EXPORT_SCALE, shade);
    }

    static void copyImage(ChartTools tools, ChartData data) {
        ChartRenderer.Shade shade = tools.shade().getValue();
        tools.work().run(() -> tools.renderer().draw(data, picture(ChartFormat.PNG, shade)), image -> {
            ClipboardContent content = new ClipboardContent();
            content.putImage(new Image(new ByteArrayInputStream(image)));
            Clipboard.getSystemClipboard().setContent(content);
            tools.notifier().done(Messages.text("notice.image-copied"));
        }, failure -> tools.notifier().problem(Messages.text("notice.not-copied", ErrorText.sentence(failure))));
    }

    static void copyData(ChartTools tools, ChartData data) {
        TextClipboard.copy(ChartTable.tabSeparated(data));
        tools.notifier().done(Messages.text("notice.data-copied"));
    }
}
