package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import javafx.scene.control.ListView;
import javafx.scene.control.TextField;
import javafx.scene.input.KeyCode;
import javafx.stage.Stage;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.Presets;
import org.inferometer.ui.fx.Action;
import org.inferometer.ui.shell.CommandPalette.PaletteEntry;
import org.inferometer.ui.twin.DesktopTwin;
import org.inferometer.ui.twin.FileDialogsTwin;
import org.inferometer.ui.twin.LibraryTwin;
import org.inferometer.ui.twin.PlainComposer;
import org.inferometer.ui.twin.ScriptedBenchmark;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.api.FxRobot;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

/// Actions by keyboard alone: found in the palette, done, taken back.
class CommandPaletteTest {
    @TempDir
    Path folder;

    private final FxRobot robot = new FxRobot();
    private Desktop desktop;

    @BeforeEach
    void open() throws Exception {
        Stage stage = FxToolkit.registerPrimaryStage();
        LibraryTwin library = new LibraryTwin(folder.resolve("results"));
        DesktopServices services = DesktopTwin.services(new ScriptedBenchmark(library, 0), library,
                new LibraryTwin(folder.resolve("samples")), new PlainComposer());
        onFx(() -> {
            desktop = new Desktop(services, stage, new FileDialogsTwin(folder));
            desktop.show();
            return null;
        });
    }

    @AfterEach
    void close() throws Exception {
        onFx(() -> {
            desktop.end();
            return null;
        });
        FxToolkit.cleanupStages();
    }

    @Test
    void presetIsFoundLoadedAndTakenBack() throws Exception {
        until(() -> designed() != null);
        ExperimentSpec first = designed();
        robot.push(KeyCode.CONTROL, KeyCode.K);
        until(() -> found().size() > 20);
        assertThat(found()).anySatisfy(entry -> {
            assertThat(entry.label()).isEqualTo("Stop experiment…");
            assertThat(entry.unavailable()).isEqualTo("No experiment runs.");
        });
        onFx(() -> {
            robot.lookup("#palette-text").queryAs(TextField.class).setText("memo pres");
            return null;
        });
        until(() -> found().size() > 0 && found().getFirst().label().equals("memory"));
        robot.push(KeyCode.ENTER);
        until(() -> new Presets().find("memory").workloads().equals(designed().workloads()));
        ExperimentSpec second = designed();
        onFx(() -> {
            desktop.window().focusFirst();
            return null;
        });
        robot.push(KeyCode.CONTROL, KeyCode.Z);
        until(() -> first.equals(designed()));
        robot.push(KeyCode.CONTROL, KeyCode.SHIFT, KeyCode.Z);
        until(() -> second.equals(designed()));
        robot.push(KeyCode.CONTROL, KeyCode.K);
        until(() -> found().size() > 20 && found().getFirst().label().equals("memory"));
        robot.push(KeyCode.ESCAPE);
        until(() -> !robot.lookup("#palette").query().getParent().isVisible());
    }

    @Test
    void noKeyAndNoIdIsGivenTwice() throws Exception {
        List<Action> actions =
                WaitForAsyncUtils.asyncFx(() -> desktop.window().actions().all()).get(20, TimeUnit.SECONDS);
        assertThat(actions).extracting(Action::id).doesNotHaveDuplicates();
        assertThat(actions.stream().map(Action::key).filter(key -> !key.isEmpty()).toList()).hasSizeGreaterThan(30)
                .doesNotHaveDuplicates();
        assertThat(new HashSet<>(actions.stream().map(Action::group).toList()))
                .containsExactlyInAnyOrder(Action.Group.values());
    }

    private ExperimentSpec designed() {
        return desktop.window().bench().designer().edited().get();
    }

    @SuppressWarnings("unchecked")
    private List<PaletteEntry> found() {
        return robot.lookup("#palette-list").queryAs(ListView.class).getItems();
    }

    private static void until(Callable<Boolean> condition) throws Exception {
        WaitForAsyncUtils.waitFor(20, TimeUnit.SECONDS,
                () -> WaitForAsyncUtils.asyncFx(condition).get(20, TimeUnit.SECONDS));
    }

    private static <T> void onFx(Callable<T> action) throws Exception {
        WaitForAsyncUtils.asyncFx(action).get(20, TimeUnit.SECONDS);
    }
}
