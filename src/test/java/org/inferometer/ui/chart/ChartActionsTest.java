package org.inferometer.ui.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javafx.beans.property.SimpleObjectProperty;
import javafx.scene.Parent;
import javafx.scene.Scene;
import javafx.scene.control.Button;
import javafx.scene.control.CheckBox;
import javafx.scene.control.ComboBox;
import javafx.scene.image.ImageView;
import javax.imageio.ImageIO;
import org.inferometer.chart.JFreeCharts;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartRenderer.ChartFormat;
import org.inferometer.report.charts.ChartRenderer.Part;
import org.inferometer.report.charts.ChartRenderer.Picture;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.twin.FileDialogsTwin;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.PlainComposer;
import org.inferometer.ui.twin.SampleCharts;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

/// The export dialog over the real renderer.
class ChartActionsTest {
    private static final ChartData CHART = SampleCharts.all().getFirst();
    private final List<String> told = new ArrayList<>();
    private final List<Picture> drawn = new ArrayList<>();
    private final ChartWindowTwin window = new ChartWindowTwin(told);
    @TempDir
    private Path folder;
    private ChartTools tools;
    private FileDialogsTwin dialogs;

    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    @BeforeEach
    void tools() {
        dialogs = new FileDialogsTwin(folder);
        tools = new ChartTools(new PlainComposer(), (sheet, picture) -> {
            drawn.add(picture);
            return new JFreeCharts().draw(sheet, picture);
        }, new SimpleObjectProperty<>(Shade.DARK), dialogs, new InlineUi().work(), new Notifier() {
            @Override
            public void done(String sentence) {}

            @Override
            public void problem(String sentence) {
                told.add(sentence);
            }
        }, window, "2026-11-22_201026_quick", "");
    }

    private static <T> T fx(Callable<T> action) throws Exception {
        return WaitForAsyncUtils.asyncFx(action).get(20, TimeUnit.SECONDS);
    }

    private Parent open() {
        ExportPane.open(tools, CHART, 640, 320);
        Parent pane = Objects.requireNonNull(window.dialog());
        new Scene(pane, 600, 500).snapshot(null);
        return pane;
    }

    private void save(String typed) throws Exception {
        fx(() -> {
            dialogs.typeOnSave(typed);
            ((Button) open().lookup("#export-save")).fire();
            return null;
        });
    }

    @Test
    void theTypedEndingDecidesTheFormat() throws Exception {
        for (String typed : List.of("a.svg", "b.PDF", "c.png", "d")) {
            save(typed);
        }
        assertThat(folder.resolve("a.svg")).content().startsWith("<svg");
        assertThat(new String(Files.readAllBytes(folder.resolve("b.PDF")), StandardCharsets.ISO_8859_1))
                .startsWith("%PDF");
        assertThat(ImageIO.read(folder.resolve("c.png").toFile()).getWidth()).isEqualTo(1280);
        assertThat(folder.resolve("d.png")).exists();
        assertThat(drawn).allMatch(picture -> picture.shade() == Shade.LIGHT);
        assertThat(told).isEmpty();
        assertThat(window.dialog()).isNull();
    }

    @Test
    void unknownEndingsAreRefused() throws Exception {
        save("mine.jpg");
        assertThat(told).containsExactly("mine.jpg names no format of charts. Use .png, .svg or .pdf.");
        assertThat(window.dialog()).isNotNull();
        try (Stream<Path> written = Files.list(folder)) {
            assertThat(written).isEmpty();
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void choicesShowInThePreviewAndAreRemembered() throws Exception {
        fx(() -> {
            Parent pane = open();
            ImageView preview = (ImageView) pane.lookup("#export-preview");
            // Twice the size of the preview, which an image view shrinks without skipping pixels.
            assertThat(preview.getImage().getWidth()).isEqualTo(920);
            ((ComboBox<ExportSettings.Size>) pane.lookup("#export-size")).setValue(ExportSettings.Size.SLIDE);
            assertThat(preview.getFitWidth()).isEqualTo(460);
            assertThat(preview.getImage().getWidth()).isEqualTo(920);
            assertThat(pane.lookup("#export-scale").isDisabled()).isTrue();
            ((ComboBox<ExportSettings.Size>) pane.lookup("#export-size")).setValue(ExportSettings.Size.COLUMN);
            assertThat(preview.getFitWidth()).isEqualTo(317);
            assertThat(preview.getImage().getWidth()).isEqualTo(634);
            ((ComboBox<Shade>) pane.lookup("#export-theme")).setValue(Shade.DARK);
            ((CheckBox) pane.lookup("#export-part-title")).fire();
            assertThat(drawn.getLast()).isEqualTo(new Picture(ChartFormat.PNG, 317, 238, 3.125, Shade.DARK, "",
                    EnumSet.of(Part.LEGEND, Part.FOOTER)));
            dialogs.typeOnSave("x.svg");
            ((Button) pane.lookup("#export-save")).fire();
            assertThat(((ComboBox<Shade>) open().lookup("#export-theme")).getValue()).isEqualTo(Shade.DARK);
            return null;
        });
        assertThat(folder.resolve("x.svg")).content().doesNotContain(">" + CHART.title() + "<");
    }

    @Test
    void partsThatAreLeftOutGiveTheirRoomToThePlot() throws IOException {
        byte[] whole = new JFreeCharts().draw(CHART, new Picture(ChartFormat.PNG, 400, 300, 1, Shade.LIGHT));
        byte[] plot = new JFreeCharts().draw(CHART,
                new Picture(ChartFormat.PNG, 400, 300, 1, Shade.LIGHT, "", EnumSet.noneOf(Part.class)));
        assertThat(ImageIO.read(new ByteArrayInputStream(plot)).getHeight())
                .isEqualTo(ImageIO.read(new ByteArrayInputStream(whole)).getHeight());
        String svg = new String(
                new JFreeCharts().draw(CHART,
                        new Picture(ChartFormat.SVG, 400, 300, 1, Shade.LIGHT, "", EnumSet.noneOf(Part.class))),
                StandardCharsets.UTF_8);
        assertThat(svg).doesNotContain(">" + CHART.title() + "<").doesNotContain(">" + CHART.footer() + "<");
    }

    @Test
    void theProposedNameIsMetricResultAndDate() {
        LocalDate today = LocalDate.of(2026, 11, 23);
        assertThat(ExportPane.fileName("ttft-ecdf", "2026-11-22_201026_quick", today))
                .isEqualTo("ttft-ecdf_quick_2026-11-22");
        assertThat(ExportPane.fileName("throughput", "", today)).isEqualTo("throughput_2026-11-23");
        assertThat(ExportPane.fileName("memory", "a b/c", today)).isEqualTo("memory_a-b-c_2026-11-23");
    }

    @Test
    void onlyWellWrittenSettingsAreRead() {
        assertThat(ExportSettings.decode(ExportSettings.STANDARD.encode())).contains(ExportSettings.STANDARD);
        assertThat(List.of("", "png screen", "png screen 9 light", "bmp screen 2 light", "png screen x light"))
                .allSatisfy(text -> assertThat(ExportSettings.decode(text)).isEmpty());
    }
}
