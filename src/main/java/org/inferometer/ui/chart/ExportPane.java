package org.inferometer.ui.chart;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javafx.application.Platform;
import javafx.geometry.Insets;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.CheckBox;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.image.Image;
import javafx.scene.image.ImageView;
import javafx.scene.input.Clipboard;
import javafx.scene.input.ClipboardContent;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartRenderer.ChartFormat;
import org.inferometer.report.charts.ChartRenderer.Part;
import org.inferometer.report.charts.ChartRenderer.Picture;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.results.AtomicFile;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.ComboBoxes;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.FileDialogs;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.LatestWork;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.TextClipboard;
import org.inferometer.ui.fx.WindowWork;

/// Exports a picture: format, size, scale, theme and parts, with a preview. The choices are remembered.
///
/// The picture is drawn in the background. The ending of the typed file name decides the format.
public final class ExportPane extends VBox {
    private static final String SETTING = "chart-export";
    private static final Pattern RESULT = Pattern.compile("(\\d{4}-\\d{2}-\\d{2})(?:_\\d{6})?_(.+)");
    private static final double PREVIEW_WIDTH = 460;
    private static final double PREVIEW_HEIGHT = 300;
    private static final int COPY_WIDTH = 960;
    private static final int COPY_HEIGHT = 540;
    private final ChartTools tools;
    private final ExportedPicture exported;
    private final ComboBox<ChartFormat> format;
    private final ComboBox<ExportSettings.Size> size;
    private final ComboBox<Integer> scale;
    private final ComboBox<Shade> shade;
    private final List<CheckBox> parts = new ArrayList<>();
    private final ImageView preview = Panes.named("export-preview", new ImageView());
    private final Label measures = Labels.of("", Styles.TEXT_MUTED, Styles.TEXT_SMALL);
    private final Button save;
    private Runnable close = () -> {};
    private final LatestWork previewing;

    /// A picture that can be exported.
    ///
    /// @param drawing draws it; called in the background
    /// @param metric what it shows, for the name of its file: "ttft-ecdf"
    /// @param source id of its result; empty for none
    /// @param screenWidth logical pixels in the window
    /// @param screenHeight logical pixels in the window
    /// @param isFixed whether it is drawn in the size and theme of the window, with all its parts
    public record ExportedPicture(Function<Picture, byte[]> drawing, String metric, String source, double screenWidth,
            double screenHeight, boolean isFixed) {}

    private ExportPane(ChartTools tools, ExportedPicture exported) {
        super(12);
        this.tools = tools;
        previewing = new LatestWork(tools.work());
        this.exported = exported;
        setId("chart-export-pane");
        setPadding(new Insets(16));
        ExportSettings last =
                tools.window().setting(SETTING).flatMap(ExportSettings::decode).orElse(ExportSettings.STANDARD);
        format = choice("format", ChartFormat.values(), last.format(), ChartFormat::name);
        size = choice("size", ExportSettings.Size.values(), last.size(),
                each -> text("export.size." + each.name().toLowerCase(Locale.ROOT), Math.round(exported.screenWidth()),
                        Math.round(exported.screenHeight())));
        scale = choice("scale", new Integer[]{1, 2, 3, 4}, last.scale(), each -> each + "×");
        shade = choice("theme", Shade.values(), last.shade(),
                each -> text("export.theme." + each.name().toLowerCase(Locale.ROOT)));
        GridPane form = Panes.grid(2, 10, 6);
        if (exported.isFixed()) {
            size.setValue(ExportSettings.Size.SCREEN);
            form.addRow(0, label("format"), format, label("scale"), scale);
        } else {
            form.addRow(0, label("format"), format, label("size"), size);
            form.addRow(1, label("theme"), shade, label("scale"), scale);
        }
        for (Part part : exported.isFixed() ? EnumSet.noneOf(Part.class) : EnumSet.allOf(Part.class)) {
            CheckBox box = Panes.named("export-part-" + part.name().toLowerCase(Locale.ROOT),
                    new CheckBox(text("export.part." + part.name().toLowerCase(Locale.ROOT))));
            box.setUserData(part);
            box.setSelected(last.parts().contains(part));
            box.setOnAction(event -> changed());
            parts.add(box);
        }
        preview.setPreserveRatio(true);
        preview.setSmooth(true);
        StackPane framed = new StackPane(preview);
        framed.setMinSize(PREVIEW_WIDTH, PREVIEW_HEIGHT);
        framed.setPrefSize(PREVIEW_WIDTH, PREVIEW_HEIGHT);
        save = Buttons.of("export-save", "mdmz-save", text("export.save"), this::save);
        save.getStyleClass().add(Styles.ACCENT);
        save.setDefaultButton(true);
        getChildren().addAll(form, Panes.row(14, parts.toArray(new Node[0])), framed,
                Panes.row(10, measures, Panes.spacer(), save));
        changed();
    }

    /// Shows the dialog.
    public static void open(ChartTools tools, ExportedPicture exported) {
        ExportPane pane = new ExportPane(tools, exported);
        pane.close = tools.window().showDialog(text("chart.export.title"), pane);
        // A dialog gives the focus to its own button, which closes it.
        Platform.runLater(pane.save::requestFocus);
    }

    /// Copies the image with twice the pixels.
    public static void copy(ChartTools tools, ExportedPicture exported) {
        Picture picture = new ExportSettings(ChartFormat.PNG, ExportSettings.Size.SCREEN, 2, tools.shade().getValue(),
                EnumSet.allOf(Part.class)).picture(ChartFormat.PNG, exported.screenWidth(), exported.screenHeight());
        tools.work().run(WindowWork.CHART, () -> exported.drawing().apply(picture), image -> {
            ClipboardContent content = new ClipboardContent();
            content.putImage(new Image(new ByteArrayInputStream(image)));
            Clipboard.getSystemClipboard().setContent(content);
            tools.notifier().done(text("notice.image-copied"));
        }, failure -> tools.notifier().problem(text("notice.not-copied", ErrorText.sentence(failure))));
    }

    /// Shows the dialog for a chart.
    ///
    /// @param width logical pixels in the window
    static void open(ChartTools tools, ChartData data, double width, double height) {
        open(tools, picture(tools, data, width, height));
    }

    static void copy(ChartTools tools, ChartData data) {
        copy(tools, picture(tools, data, COPY_WIDTH, COPY_HEIGHT));
    }

    private static ExportedPicture picture(ChartTools tools, ChartData data, double width, double height) {
        return new ExportedPicture(picture -> tools.renderer().draw(data, picture), data.id(), tools.source(), width,
                height, false);
    }

    static void copyData(ChartTools tools, ChartData data) {
        TextClipboard.copy(ChartTable.tabSeparated(data));
        tools.notifier().done(text("notice.data-copied"));
    }

    /// "ttft-ecdf_quick_2026-11-22": metric, result and its date.
    ///
    /// @param source id of the result, "2026-11-22_201026_quick"; empty for none
    /// @param today of a picture without result
    static String fileName(String metric, String source, LocalDate today) {
        Matcher dated = RESULT.matcher(source);
        String date = dated.matches() ? dated.group(1) : today.toString();
        String result = dated.matches() ? dated.group(2) : source;
        return (metric + "_" + (result.isEmpty() ? "" : result + "_") + date).replaceAll("[^A-Za-z0-9._-]+", "-");
    }

    private static Label label(String key) {
        return Labels.fixed(text("export." + key), Styles.TEXT_MUTED);
    }

    private <T> ComboBox<T> choice(String id, T[] values, T chosen, Function<T, String> name) {
        ComboBox<T> box = Panes.named("export-" + id, new ComboBox<>());
        box.setAccessibleText(text("export." + id));
        box.getItems().setAll(Arrays.asList(values));
        box.setValue(chosen);
        box.setConverter(ComboBoxes.words(name));
        box.setOnAction(event -> changed());
        box.setMaxWidth(Double.MAX_VALUE);
        box.setMinWidth(USE_PREF_SIZE);
        return box;
    }

    private ExportSettings settings() {
        EnumSet<Part> chosen = EnumSet.noneOf(Part.class);
        parts.stream().filter(CheckBox::isSelected).forEach(box -> chosen.add((Part) box.getUserData()));
        return new ExportSettings(format.getValue(), size.getValue(), scale.getValue(), shade.getValue(), chosen);
    }

    private Picture picture(ChartFormat wanted) {
        return settings().picture(wanted, exported.screenWidth(), exported.screenHeight());
    }

    private void changed() {
        boolean pixels = format.getValue() == ChartFormat.PNG;
        scale.setDisable(!pixels || size.getValue() != ExportSettings.Size.SCREEN);
        Picture now = picture(format.getValue());
        measures.setText(pixels
                ? text("export.pixels", Math.round(now.panelWidth() * now.scale()),
                        Math.round(now.panelHeight() * now.scale()))
                : text("export.inches", inches(now.panelWidth()), inches(now.panelHeight())));
        Picture small = picture(ChartFormat.PNG);
        previewing.run(WindowWork.CHART, () -> reduced(exported.drawing().apply(small), small), image -> {
            preview.setImage(image);
            preview.setFitWidth(shown(small) * small.panelWidth());
            preview.setFitHeight(shown(small) * small.panelHeight());
        }, failure -> measures.setText(text("chart.broken", String.valueOf(failure.getMessage()))));
    }

    /// Twice the pixels of the preview. An image view that shrinks an image further skips pixels, the decoder averages them.
    private static Image reduced(byte[] image, Picture drawn) {
        double pixels = Math.min(2 * shown(drawn), drawn.scale());
        return new Image(new ByteArrayInputStream(image), Math.rint(pixels * drawn.panelWidth()),
                Math.rint(pixels * drawn.panelHeight()), false, true);
    }

    /// Size of the preview as a share of the picture's size.
    private static double shown(Picture drawn) {
        return Math.min(1, Math.min(PREVIEW_WIDTH / drawn.panelWidth(), PREVIEW_HEIGHT / drawn.panelHeight()));
    }

    private static String inches(int logicalPixels) {
        return String.format(Locale.ROOT, "%.1f", logicalPixels / 96.0);
    }

    private void save() {
        ExportSettings chosen = settings();
        List<FileDialogs.FileType> types =
                new ArrayList<>(Arrays.stream(ChartFormat.values()).map(ExportPane::type).toList());
        FileDialogs.FileType first = type(chosen.format());
        types.remove(first);
        types.addFirst(first);
        tools.dialogs()
                .save(text("chart.export.title"),
                        fileName(exported.metric(), exported.source(), LocalDate.now(ZoneId.systemDefault())) + "."
                                + chosen.format().id(),
                        types)
                .ifPresent(file -> ChartFormat.of(file).ifPresentOrElse(wanted -> write(file, wanted),
                        () -> tools.notifier().problem(text("chart.export.unknown-ending", file.getFileName()))));
    }

    private void write(Path file, ChartFormat wanted) {
        tools.window().remember(SETTING, settings().encode());
        Picture picture = picture(wanted);
        tools.write(WindowWork.CHART, file, () -> AtomicFile.write(file, exported.drawing().apply(picture)));
        close.run();
    }

    private static FileDialogs.FileType type(ChartFormat format) {
        return new FileDialogs.FileType(text("file." + format.id()), "*." + format.id());
    }
}
