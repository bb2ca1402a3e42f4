package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javafx.application.Platform;
import javafx.event.EventHandler;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.Scene;
import javafx.scene.control.DialogPane;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.TableView;
import javafx.scene.control.TextInputControl;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.stage.Stage;
import javafx.stage.Window;
import org.inferometer.ui.bench.LiveMode;
import org.inferometer.ui.bench.LiveViewModel.LiveChart;
import org.inferometer.ui.twin.CssFaults;
import org.inferometer.ui.twin.FileDialogsTwin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.api.FxRobot;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

/// The first run as a person does it, in a real window, over any services: welcome, run, live, result, Results, export, report.
///
/// A subclass brings the services; one with the real ones measures something, one with twins plays a script.
public abstract class FirstRun {
    private static final String LASTING = "lasting";

    @TempDir
    Path folder;

    final FxRobot robot = new FxRobot();
    CssFaults cssFaults = new CssFaults();
    private Stage stage;
    Desktop desktop;
    private FileDialogsTwin dialogs;

    /// The services to try.
    ///
    /// @param lasting whether experiments have to last until they are stopped
    protected abstract DesktopServices services(Path emptyFolder, boolean lasting) throws Exception;

    /// Called when the live picture has been seen; a scripted experiment goes on from here.
    protected abstract void liveWasSeen() throws Exception;

    /// Marks a moment and looks at the log, with keys alone.
    final void markAndLog() throws Exception {
        push(KeyCode.M);
        until(() -> node("#live-marker-text").isVisible() && node("#live-marker-text").isFocused());
        robot.write("moment");
        push(KeyCode.ENTER);
        push(KeyCode.CONTROL, KeyCode.J);
        until(() -> desktop.window().bench().log().shown().stream()
                .anyMatch(line -> line.text().startsWith("Run 1 ended")));
        push(KeyCode.CONTROL, KeyCode.J);
        until(() -> !node("#log-drawer").isVisible());
        assertThat(desktop.window().bench().live().runs()).anyMatch(run -> run.markers().size() == 1);
    }

    /// An experiment that ends while another view is shown.
    final void endElsewhere(Runnable goOn) throws Exception {
        Platform.runLater(() -> desktop.window().open(folder.resolve("other.json")));
        until(() -> robot.lookup("#beside-afterwards").tryQuery().isPresent());
        pushIn(node("#beside-afterwards").getScene().getWindow(), KeyCode.ENTER);
        until(() -> node("#status-waiting").isVisible());
        onFx(() -> {
            ((MenuButton) node("#status-waiting")).getItems().getFirst().fire();
            return null;
        });
        until(() -> !node("#status-waiting").isVisible());
        push(KeyCode.CONTROL, KeyCode.DIGIT2);
        goOn.run();
        until(() -> node("#notice-action") != null);
        robot.clickOn("#notice-action");
        until(() -> node("#result-detail") != null);
        onFx(() -> {
            desktop.window().results().close();
            return null;
        });
        push(KeyCode.CONTROL, KeyCode.DIGIT1);
    }

    /// How long an experiment may take, in seconds.
    protected long patienceSeconds() {
        return 20;
    }

    @BeforeEach
    void open(TestInfo test) throws Exception {
        stage = FxToolkit.registerPrimaryStage();
        // The robot's keys go to the last window with the focus, also to one that an earlier test left.
        FxToolkit.cleanupStages();
        robot.release(new KeyCode[0]);
        DesktopServices services = services(folder, test.getTags().contains(LASTING));
        dialogs = new FileDialogsTwin(folder);
        cssFaults = new CssFaults();
        onFx(() -> {
            cssFaults.listen();
            desktop = new Desktop(services, stage, dialogs);
            desktop.show();
            desktop.window().bench().live().choose(LiveMode.LIVE);
            return null;
        });
        until(() -> node("#engine-tiny-fp8") != null);
    }

    @AfterEach
    void close() throws Exception {
        onFx(() -> {
            desktop.end();
            cssFaults.stop();
            return null;
        });
        FxToolkit.cleanupStages();
    }

    @Test
    protected void aPersonGetsFromWelcomeToAReportWithTheMouse() throws Exception {
        until(() -> !label("#welcome-gpu").isEmpty());
        robot.clickOn("#welcome-quick");
        until(() -> node("#live") != null);
        until(() -> desktop.window().bench().live().chart(LiveChart.THROUGHPUT).get() != null);
        assertThat(label("#live-headline")).startsWith("Run ");
        until(() -> !robot.lookup("#live-throughput .canvas, #live-throughput-chart ChartCanvas").queryAll().isEmpty()
                || ((Parent) node("#live-throughput-chart")).getChildrenUnmodifiable().size() > 1);
        liveWasSeen();
        until(() -> node("#result-card") != null);
        assertThat(robot.lookup("#result-cells").tryQuery()).isPresent();
        robot.clickOn("#result-save-report");
        until(() -> reports(".html") == 1);
        robot.clickOn("#rail-results");
        until(() -> rows() > 0);
        robot.clickOn("#rail-bench");
        robot.clickOn("#result-open");
        until(() -> node("#result-detail") != null);
        robot.clickOn("Charts");
        until(() -> !robot.lookup(".chart-tile .tile-tool").queryAll().isEmpty());
        Node export = robot.lookup(".detail-pane .tile-tool").queryAll().iterator().next();
        robot.clickOn(export);
        until(() -> node("#export-save") != null);
        robot.clickOn("#export-save");
        until(() -> reports(".png") == 1);
        assertThat(cssFaults.all()).isEmpty();
    }

    @Test
    void aPersonGetsToAResultWithKeysAlone() throws Exception {
        until(() -> takesKeys(stage) && node("#welcome-quick").isFocused());
        push(KeyCode.ENTER);
        until(() -> node("#live") != null);
        until(() -> desktop.window().bench().live().chart(LiveChart.THROUGHPUT).get() != null);
        push(KeyCode.CONTROL, KeyCode.DIGIT2);
        until(() -> node("#results-table") != null);
        push(KeyCode.CONTROL, KeyCode.DIGIT1);
        // The runs may have ended meanwhile.
        until(() -> node("#live") != null || node("#result-card") != null);
        liveWasSeen();
        until(() -> node("#result-card") != null);
        push(KeyCode.CONTROL, KeyCode.S);
        until(() -> reports(".html") > 0);
        push(KeyCode.CONTROL, KeyCode.F);
        until(() -> node("#results-search").isFocused());
        robot.write("quick");
        until(() -> label("#results-count").contains("1 of") || label("#results-count").startsWith("1 "));
    }

    @Test
    @Tag(LASTING)
    protected void stoppingAsksAndKeepsWhatWasMeasured() throws Exception {
        robot.clickOn("#welcome-quick");
        until(() -> desktop.window().bench().live().chart(LiveChart.THROUGHPUT).get() != null);
        askToStop();
        robot.clickOn("#stop-instead");
        until(() -> node("#stop-keep") == null);
        assertThat(desktop.window().bench().state().get().isStopping()).isFalse();
        robot.clickOn("#primary-action");
        until(() -> node("#stop-keep") != null);
        robot.clickOn("#stop-keep");
        until(() -> node("#result-card") != null);
    }

    private void askToStop() throws Exception {
        push(KeyCode.SHIFT, KeyCode.F5);
        until(() -> node("#stop-keep") != null);
    }

    /// Presses keys in the window.
    void push(KeyCode... keys) throws Exception {
        pushIn(stage, keys);
    }

    /// Presses keys once a window takes the robot's keys, and sees that each arrived there.
    void pushIn(Window window, KeyCode... keys) throws Exception {
        Set<KeyCode> arrived = ConcurrentHashMap.newKeySet();
        EventHandler<KeyEvent> watch = event -> arrived.add(event.getCode());
        onFx(() -> {
            window.getScene().addEventFilter(KeyEvent.KEY_PRESSED, watch);
            return null;
        });
        try {
            until(() -> takesKeys(window));
            robot.push(keys);
            until(() -> arrived.containsAll(List.of(keys)));
        } catch (AssertionError lost) {
            throw new AssertionError("Of the keys " + List.of(keys) + " only " + arrived + " arrived.", lost);
        } finally {
            onFx(() -> {
                Optional.ofNullable(window.getScene())
                        .ifPresent(scene -> scene.removeEventFilter(KeyEvent.KEY_PRESSED, watch));
                return null;
            });
        }
    }

    /// The robot sends keys to the last window with the focus.
    private static boolean takesKeys(Window window) {
        List<Window> focused = Window.getWindows().stream().filter(Window::isFocused).toList();
        if (focused.isEmpty() || focused.getLast() != window) {
            window.requestFocus();
            return false;
        }
        return true;
    }

    private static List<String> windows() throws Exception {
        return WaitForAsyncUtils.asyncFx(() -> Window.getWindows().stream()
                .map(window -> window + (window.isFocused() ? " with" : " without") + " the focus, on "
                        + (window.getScene() == null ? null : window.getScene().getFocusOwner())
                        + texts(window.getScene()))
                .toList()).get();
    }

    /// What a dialog says.
    private static List<String> texts(Scene scene) {
        if (scene == null || !(scene.getRoot() instanceof DialogPane dialog)) {
            return List.of();
        }
        return dialog.lookupAll("*").stream().flatMap(node -> switch (node) {
            case Label label -> Stream.ofNullable(label.getText());
            case TextInputControl field -> Stream.ofNullable(field.getText());
            default -> Stream.empty();
        }).toList();
    }

    private long reports(String ending) throws Exception {
        try (var files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(ending)).count();
        }
    }

    private int rows() {
        return robot.lookup("#results-table").queryAs(TableView.class).getItems().size();
    }

    Node node(String query) {
        return robot.lookup(query).tryQuery().orElse(null);
    }

    String label(String query) {
        return robot.lookup(query).queryAs(Label.class).getText();
    }

    void until(Callable<Boolean> condition) throws Exception {
        try {
            WaitForAsyncUtils.waitFor(patienceSeconds(), TimeUnit.SECONDS,
                    () -> WaitForAsyncUtils.asyncFx(condition).get());
        } catch (TimeoutException late) {
            throw new AssertionError("Not within " + patienceSeconds() + " s. The bench is "
                    + desktop.window().bench().state().get() + ", windows are " + windows(), late);
        }
        WaitForAsyncUtils.waitForFxEvents();
    }

    static <T> void onFx(Callable<T> action) throws Exception {
        WaitForAsyncUtils.asyncFx(action).get(30, TimeUnit.SECONDS);
    }
}
