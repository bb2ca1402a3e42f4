package org.inferometer.ui.chart;

import java.io.ByteArrayInputStream;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javafx.scene.image.Image;
import javafx.scene.input.Clipboard;
import javafx.scene.input.ClipboardContent;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartFormat;
import org.inferometer.report.charts.ChartRenderer;
import org.inferometer.report.charts.ChartRenderer.Picture;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.Messages;
import org.inferometer.ui.fx.TextClipboard;

/// Exports a chart, copies its image or its data. Images are drawn in the background.
final class ChartActions {
    private static final int COPY_WIDTH = 960;
    private static final int COPY_HEIGHT = 540;
    private static final double COPY_SCALE = 2;

    private static final Pattern RESULT = Pattern.compile("(\\d{4}-\\d{2}-\\d{2})(?:_\\d{6})?_(.+)");

    private ChartActions() {}

    /// Shows the export dialog.
    ///
    /// @param width logical pixels in the window
    static void export(ChartTools tools, ChartData data, double width, double height) {
        ExportPane.open(tools, new ExportPane.ExportedPicture() {
            @Override
            public byte[] draw(Picture picture) {
                return tools.renderer().draw(data, picture);
            }

            @Override
            public String fileName() {
                return ChartActions.fileName(data.id(), tools.source(), LocalDate.now(ZoneId.systemDefault()));
            }

            @Override
            public double screenWidth() {
                return width;
            }

            @Override
            public double screenHeight() {
                return height;
            }

            @Override
            public Set<ChartRenderer.Part> parts() {
                return EnumSet.allOf(ChartRenderer.Part.class);
            }
        });
    }

    /// "ttft-ecdf_quick_2026-11-22": metric, result and its date.
    ///
    /// @param source id of the result, "2026-11-22_201026_quick"; empty for none
    /// @param today of a chart without result
    static String fileName(String metric, String source, LocalDate today) {
        Matcher dated = RESULT.matcher(source);
        String date = dated.matches() ? dated.group(1) : today.toString();
        String result = dated.matches() ? dated.group(2) : source;
        return (metric + "_" + (result.isEmpty() ? "" : result + "_") + date).replaceAll("[^A-Za-z0-9._-]+", "-");
    }

    private static Picture picture(ChartRenderer.Shade shade) {
        return new Picture(ChartFormat.PNG, COPY_WIDTH, COPY_HEIGHT, COPY_SCALE, shade);
    }

    static void copyImage(ChartTools tools, ChartData data) {
        ChartRenderer.Shade shade = tools.shade().getValue();
        tools.work().run(() -> tools.renderer().draw(data, picture(shade)), image -> {
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
