package org.inferometer.ui.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import javafx.geometry.Bounds;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.Scene;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.input.Clipboard;
import javafx.scene.layout.Region;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.devices.DevicesView.CardColumns;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.machines.OtherMachines;
import org.inferometer.ui.theme.Appearance;
import org.inferometer.ui.twin.CssFaults;
import org.inferometer.ui.twin.DevicesTwin;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.MachinesTwin;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class DevicesViewTest {
    @TempDir
    Path folder;

    private final InlineUi ui = new InlineUi();
    private final CssFaults faults = new CssFaults();
    private final List<String> notices = new ArrayList<>();

    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    private static <T> T fx(Callable<T> action) throws Exception {
        return WaitForAsyncUtils.asyncFx(action).get(20, TimeUnit.SECONDS);
    }

    /// The view in a scene of both shades, one after the other, and its model.
    private record Shown(DevicesViewModel model, DevicesView view, Parent root) {}

    private Shown shown(DevicesTwin desk) throws Exception {
        return fx(() -> {
            faults.listen();
            DevicesViewModel model = new DevicesViewModel(desk.source(), ui.work(), ui);
            OtherMachines machines = new OtherMachines(new MachinesTwin().with("gpu1", MachinesTwin.GPU_SERVER),
                    new Settings(folder.resolve("settings.properties")), ui.work());
            DevicesView view = new DevicesView(model, machines, new Notifier() {
                @Override
                public void done(String sentence) {
                    notices.add(sentence);
                }

                @Override
                public void problem(String sentence) {
                    notices.add(sentence);
                }
            });
            Parent root = view.createView();
            Appearance appearance = new Appearance(Shade.DARK);
            Scene scene = new Scene(root, 1200, 800);
            appearance.dress(scene);
            model.setShowing(true);
            scene.snapshot(null);
            appearance.toggle();
            scene.snapshot(null);
            faults.stop();
            return new Shown(model, view, root);
        });
    }

    private static List<String> words(Parent root) {
        List<String> words = new ArrayList<>();
        for (Node child : root instanceof ScrollPane scroll ? List.of(scroll.getContent())
                : root.getChildrenUnmodifiable()) {
            if (child instanceof Label label) {
                words.add(label.getText().replace('\u00a0', ' '));
            } else if (child instanceof Parent parent) {
                words.addAll(words(parent));
            }
        }
        return words;
    }

    @Test
    void everyGpuHasACardWithItsReadingsAndEveryCheckItsReason() throws Exception {
        Shown shown = shown(DevicesTwin.withTwoGpus());
        List<String> words = words(shown.root());
        assertThat(words).contains("Intel Xeon Platinum 8481C", "NVIDIA H200", "87 %, memory 41 %", "313 of 700 W",
                "SM 1980 MHz, memory 3201 MHz", "pid 4711", "300 MiB", "memory not reported", "NVIDIA T4",
                "temperature (hardware)", "580.65.06, CUDA 13.0",
                "Throttled by temperature (hardware). Let the card cool, or raise the limit.", "Attention", "Usable");
        assertThat(words).doesNotContain("0 %", "0 W", "NaN", "null");
        assertThat(faults.all()).isEmpty();
    }

    @Test
    void cardsAreAsHighAsTheyAskedFor() throws Exception {
        fx(() -> {
            Label card = Labels.wrapped("Everything except the cuda backend works. ".repeat(12));
            CardColumns columns = new CardColumns(List.of(card));
            new Scene(columns);
            columns.applyCss();
            double asked = columns.prefHeight(1200);
            columns.resize(1200, asked);
            columns.layout();
            assertThat(card.localToScene(card.getLayoutBounds()).getMaxY()).isCloseTo(asked, within(1.0));
            return null;
        });
    }

    @Test
    void theCalibrationIsScrolledTo() throws Exception {
        Shown shown = shown(DevicesTwin.withTwoGpus());
        fx(() -> {
            ScrollPane scroll = (ScrollPane) shown.root().lookup("#devices-scroll");
            Region card = (Region) scroll.getContent().lookup("#device-noise");
            assertThat(scroll.getVvalue()).isZero();
            shown.view().focusCalibration();
            assertThat(shown.root().getScene().getFocusOwner())
                    .isSameAs(scroll.getContent().lookup("#device-noise-start"));
            Bounds seen = scroll.sceneToLocal(card.localToScene(card.getLayoutBounds()));
            assertThat(seen.getMinY()).isNotNegative();
            assertThat(seen.getMaxY()).isLessThanOrEqualTo(scroll.getHeight());
            return null;
        });
    }

    @Test
    void readingsFollowTheBeat() throws Exception {
        Shown shown = shown(DevicesTwin.withTwoGpus());
        assertThat(words(shown.root())).contains("5.00 GiB of 150 GiB");
        fx(() -> {
            ui.tick();
            return null;
        });
        assertThat(words(shown.root())).contains("6.00 GiB of 150 GiB", "25 %").doesNotContain("5.00 GiB of 150 GiB");
    }

    @Test
    void readingThatFailsIsSaidAboveCardsThatTellNothing() throws Exception {
        DevicesTwin desk = DevicesTwin.withTwoGpus();
        Shown shown = shown(desk);
        Node problem = shown.root().lookup("#devices-problem");
        assertThat(problem.isVisible()).isFalse();
        desk.fail("The driver has gone.");
        fx(() -> {
            ui.tick();
            return null;
        });
        assertThat(problem.isVisible()).isTrue();
        assertThat(words(shown.root()))
                .contains("The devices cannot be read: The driver has gone. Trying again every second.", "not reported")
                .doesNotContain("5.00 GiB of 150 GiB", "87 %, memory 41 %", "313 of 700 W", "25 %", "pid 4711");
        desk.recover();
        fx(() -> {
            ui.tick();
            return null;
        });
        assertThat(problem.isVisible()).isFalse();
        assertThat(words(shown.root())).contains("6.00 GiB of 150 GiB", "25 %");
    }

    @Test
    void machineWithoutAGpuSaysWhatWasTriedAndWhatStillWorks() throws Exception {
        Shown shown = shown(DevicesTwin.withoutGpu());
        assertThat(words(shown.root()))
                .contains("No NVIDIA GPU found", "cannot open shared object file: No such file or directory",
                        "None can be read; the CPU computes.")
                .anyMatch(line -> line.startsWith("Everything except the cuda backend works"));
        assertThat(faults.all()).isEmpty();
    }

    @Test
    void textIsCopiedAsTheCommandLinePrintsIt() throws Exception {
        Shown shown = shown(DevicesTwin.withoutGpu());
        String copied = fx(() -> {
            ((Button) shown.root().lookup("#devices-copy")).fire();
            return Clipboard.getSystemClipboard().getString();
        });
        assertThat(copied).startsWith("CPU ").contains("\nReadiness\n");
        assertThat(notices).hasSize(1);
    }

    @Test
    void lookThatFailsIsSaidInPlaceAndCheckedAgain() throws Exception {
        DevicesTwin desk = DevicesTwin.withTwoGpus();
        desk.fail("The system does not answer.");
        Shown shown = shown(desk);
        assertThat(words(shown.root())).anyMatch(line -> line.contains("The system does not answer."));
        desk.recover();
        fx(() -> {
            ((Button) shown.root().lookup("#devices-again")).fire();
            return null;
        });
        assertThat(words(shown.root())).contains("NVIDIA H200");
    }
}
