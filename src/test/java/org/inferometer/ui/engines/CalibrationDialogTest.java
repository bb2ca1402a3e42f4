package org.inferometer.ui.engines;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javafx.scene.Node;
import javafx.scene.Scene;
import javafx.scene.control.Button;
import javafx.scene.control.DialogPane;
import javafx.scene.control.Label;
import javafx.scene.control.Spinner;
import javafx.scene.layout.StackPane;
import javafx.stage.Stage;
import javafx.stage.Window;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.engines.CalibrationDialog.CalibrationChoice;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.theme.Appearance;
import org.inferometer.ui.twin.DesktopScreenshots;
import org.inferometer.ui.twin.FileDialogsTwin;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.LayoutFaults;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

/// With `-Dinferometer.pictures=FOLDER` it writes pictures of the dialog.
class CalibrationDialogTest {
    private static final @Nullable String PICTURES = System.getProperty("inferometer.pictures");

    @TempDir
    Path folder;
    private final List<CalibrationChoice> chosen = new ArrayList<>();

    private static void onWindow(Runnable action) throws Exception {
        WaitForAsyncUtils.asyncFx(action).get();
        WaitForAsyncUtils.waitForFxEvents();
    }

    /// A window that stays takes the pointer and the keys of later tests.
    @AfterEach
    void noWindowStays() throws Exception {
        onWindow(() -> List.copyOf(Window.getWindows()).forEach(Window::hide));
        FxToolkit.cleanupStages();
    }

    private static Scene dialog() {
        return Window.getWindows().getLast().getScene();
    }

    private static void press(String id) throws Exception {
        onWindow(() -> ((Button) dialog().lookup(id)).fire());
    }

    private static Button build() {
        DialogPane pane = (DialogPane) dialog().getRoot();
        return (Button) pane.lookupButton(pane.getButtonTypes().getFirst());
    }

    private static String shown(String id) {
        return ((Label) dialog().lookup(id)).getText();
    }

    private static void look(Shade shade, String name) throws Exception {
        onWindow(() -> {
            assertThat(LayoutFaults.of(dialog().getRoot())).isEmpty();
            Node build = build();
            assertThat(build.localToScene(build.getBoundsInLocal()).getMaxY()).as("bottom of the buttons")
                    .isLessThan(dialog().getHeight());
            if (PICTURES != null) {
                DesktopScreenshots.write(dialog(), Path.of(PICTURES)
                        .resolve("calibration-" + name + "-" + shade.name().toLowerCase(Locale.ROOT) + ".png"));
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Shade.class)
    void aTextIsChosenOrItsFaultIsTold(Shade shade) throws Exception {
        Stage stage = FxToolkit.registerPrimaryStage();
        FileDialogsTwin files = new FileDialogsTwin(folder);
        onWindow(() -> {
            stage.setScene(new Scene(new StackPane(), 800, 600));
            stage.show();
            new CalibrationDialog(files, new BackgroundWork(Runnable::run, new InlineUi()),
                    new Appearance(shade)::dress).ask(stage, chosen::add);
        });
        look(shade, "bundled");
        files.answerOpen(
                Files.writeString(folder.resolve("notes of our customers in the last year and before.txt"), "the inn"));
        press("#calibration-choose");
        assertThat(shown("#calibration-text"))
                .isEqualTo("notes of our customers in the last year and before.txt, 7\u00a0B");
        look(shade, "file");
        files.answerOpen(Files.write(folder.resolve("latin"), new byte[]{'a', (byte) 0xE9}));
        press("#calibration-choose");
        assertThat(shown("#calibration-fault")).contains("latin: It is no text in UTF-8.");
        look(shade, "fault");
        onWindow(() -> {
            ((Spinner<?>) dialog().lookup("#calibration-tokens")).increment();
            build().fire();
        });
        assertThat(chosen).singleElement().satisfies(choice -> {
            assertThat(choice.text().text()).isEqualTo("the inn");
            assertThat(choice.mostTokens()).isEqualTo(2560);
        });
    }
}
