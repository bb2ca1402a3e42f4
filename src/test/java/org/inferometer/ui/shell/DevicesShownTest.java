package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import javafx.scene.Parent;
import javafx.scene.control.ToggleButton;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.theme.Appearance;
import org.inferometer.ui.twin.DesktopTwin;
import org.inferometer.ui.twin.DevicesTwin;
import org.inferometer.ui.twin.FileDialogsTwin;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.LibraryTwin;
import org.inferometer.ui.twin.PlainComposer;
import org.inferometer.ui.twin.ScriptedBenchmark;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class DevicesShownTest {
    @TempDir
    private Path folder;

    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    private static <T> T fx(Callable<T> action) throws Exception {
        return WaitForAsyncUtils.asyncFx(action).get(30, TimeUnit.SECONDS);
    }

    @Test
    void devicesAreReadOnlyWhileTheirViewIsShown() throws Exception {
        InlineUi ui = new InlineUi();
        LibraryTwin library = new LibraryTwin(folder.resolve("results"));
        DevicesTwin desk = DevicesTwin.withoutGpu();
        DesktopServices made = DesktopTwin.services(new ScriptedBenchmark(library, 0), library,
                new LibraryTwin(folder.resolve("samples")), new PlainComposer());
        DesktopServices services = new DesktopServices(made.designer(), made.results(), made.machine(), desk.source(),
                made.composer(), made.renderer(), made.settings(), made.machines(), made.prompts(), made.clock(),
                made.version());
        fx(() -> {
            DesktopWindow window = new DesktopWindow(services,
                    new DesktopWindow.WindowContext(ui.work(), ui, new Appearance(Shade.LIGHT),
                            new FileDialogsTwin(folder), (heading, detail, action, instead) -> false, () -> {}));
            Parent root = window.createView();
            assertThat(desk.calls()).isEmpty();
            ToggleButton rail = (ToggleButton) root.lookup("#rail-devices");
            assertThat(rail.getTooltip().getText()).isEqualTo("Devices (Ctrl+6)");
            rail.fire();
            ui.tick();
            assertThat(desk.calls()).containsExactly("look", "watch", "read", "read");
            window.showResults();
            ui.tick();
            assertThat(desk.calls()).containsExactly("look", "watch", "read", "read", "close");
            window.showDevices();
            window.dispose();
            assertThat(desk.calls()).endsWith("watch", "read", "close");
            return null;
        });
    }
}
