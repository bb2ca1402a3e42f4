package org.inferometer.ui.timeline;

import static org.inferometer.ui.fx.Messages.text;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javafx.scene.image.WritableImage;
import javafx.scene.input.Clipboard;
import javafx.scene.input.ClipboardContent;
import org.inferometer.results.AtomicFile;
import org.inferometer.ui.chart.ChartTools;
import org.inferometer.ui.fx.FileDialogs;
import org.inferometer.ui.fx.PngImage;

/// Saves and copies the picture of the visible timeline.
final class ImageActions {
    private static final String ENDING = ".png";
    private final ChartTools tools;
    private final TimelineCanvas canvas;
    private final TimelineViewModel model;

    ImageActions(ChartTools tools, TimelineCanvas canvas, TimelineViewModel model) {
        this.tools = tools;
        this.canvas = canvas;
        this.model = model;
    }

    /// Asks for a file; the picture is encoded and written in the background.
    void save() {
        tools.dialogs().save(text("timeline.save-image-title"), "timeline-" + model.experiment().get() + ENDING,
                List.of(new FileDialogs.FileType(text("file.png"), "*" + ENDING))).ifPresent(this::save);
    }

    private void save(Path file) {
        if (!file.toString().toLowerCase(Locale.ROOT).endsWith(ENDING)) {
            tools.notifier().problem(text("timeline.not-png", file.getFileName()));
            return;
        }
        canvas.picture(image -> tools.write(file, () -> AtomicFile.write(file, PngImage.of(image))));
    }

    void copy() {
        canvas.picture(this::copy);
    }

    private void copy(WritableImage image) {
        ClipboardContent content = new ClipboardContent();
        content.putImage(image);
        Clipboard.getSystemClipboard().setContent(content);
        tools.notifier().done(text("timeline.image-copied"));
    }
}
