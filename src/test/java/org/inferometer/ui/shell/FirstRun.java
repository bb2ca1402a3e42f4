package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javafx.application.Platform;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.TableView;
import javafx.scene.control.TextInputControl;
import javafx.scene.control.ToggleButton;
import javafx.scene.input.KeyCode;
import javafx.stage.Stage;
import javafx.stage.Window;
import org.inferometer.experiment.LoadSweep.Measure;
import org.inferometer.ui.bench.LiveChart;
import org.inferometer.ui.bench.LiveMode;
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
    private static final int PRESSES = 4;
    private static final long SECONDS_OF_PRESS = 20;

    @TempDir
    Path folder;

    private final FxRobot robot = new FxRobot();
    private CssFaults cssFaults = new CssFaults();
    private Desktop desktop;
    private FileDialogsTwin dialogs;

    /// The services to try.
    ///
    /// @param lasting whether experiments have to last until they are stopped
    protected abstract DesktopServices services(Path emptyFolder, boolean lasting) throws Exception;

    /// Called when the live picture has been seen; a scripted experiment goes on from here.
    protected abstract void liveWasSeen() throws Exception;

    /// Marks a moment and looks at the log, with keys alone.
    final void markAndLog() throws Exception {
        robot.push(KeyCode.M);
        until(() -> node("#live-marker-text").isVisible());
        robot.write("moment");
        robot.push(KeyCode.ENTER);
        robot.push(KeyCode.CONTROL, KeyCode.J);
        until(() -> desktop.window().bench().log().shown().stream()
                .anyMatch(line -> line.text().startsWith("Run 1 ended")));
        robot.push(KeyCode.CONTROL, KeyCode.J);
        assertThat(node("#log-drawer").isVisible()).isFalse();
        assertThat(desktop.window().bench().live().runs()).anyMatch(run -> run.markers().size() == 1);
    }

    /// An experiment that ends while another view is shown.
    final void endElsewhere(Runnable goOn) throws Exception {
        Platform.runLater(() -> desktop.window().open(folder.resolve("other.json")));
        until(() -> robot.lookup("#beside-afterwards").tryQuery().isPresent());
        robot.push(KeyCode.ENTER);
        until(() -> node("#status-waiting").isVisible());
        onFx(() -> {
            ((MenuButton) node("#status-waiting")).getItems().getFirst().fire();
            return null;
        });
        until(() -> !node("#status-waiting").isVisible());
        robot.push(KeyCode.CONTROL, KeyCode.DIGIT2);
        goOn.run();
        until(() -> node("#notice-action") != null);
        robot.clickOn("#notice-action");
        until(() -> node("#result-detail") != null);
        onFx(() -> {
            desktop.window().results().close();
            return null;
        });
        robot.push(KeyCode.CONTROL, KeyCode.DIGIT1);
    }

    /// How long an experiment may take, in seconds.
    protected long patienceSeconds() {
        return 20;
    }

    @BeforeEach
    void open(TestInfo test) throws Exception {
        Stage stage = FxToolkit.registerPrimaryStage();
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
    void aPersonGetsFromWelcomeToAReportWithTheMouse() throws Exception {
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
        robot.push(KeyCode.ENTER);
        until(() -> node("#live") != null);
        until(() -> desktop.window().bench().live().chart(LiveChart.THROUGHPUT).get() != null);
        press(() -> node("#results-table") != null, KeyCode.CONTROL, KeyCode.DIGIT2);
        // Where keys were missed the runs may have ended meanwhile.
        press(() -> node("#live") != null || node("#result-card") != null, KeyCode.CONTROL, KeyCode.DIGIT1);
        liveWasSeen();
        until(() -> node("#result-card") != null);
        press(() -> reports(".html") > 0, KeyCode.CONTROL, KeyCode.S);
        robot.push(KeyCode.CONTROL, KeyCode.F);
        robot.write("quick");
        until(() -> label("#results-count").contains("1 of") || label("#results-count").startsWith("1 "));
    }

    @Test
    void bothShadesHaveNoStyleFault() throws Exception {
        robot.clickOn("#theme-toggle");
        robot.clickOn("#rail-results");
        robot.clickOn("#theme-toggle");
        robot.clickOn("#rail-bench");
        robot.push(KeyCode.F1);
        until(() -> robot.listWindows().size() > 1);
        robot.push(KeyCode.ESCAPE);
        assertThat(cssFaults.all()).isEmpty();
    }

    @Test
    void enterInAFieldChecksItAndRunsNothing() throws Exception {
        TextInputControl field = robot.lookup("#field-requests").queryAs(TextInputControl.class);
        onFx(() -> {
            field.requestFocus();
            field.setText("x");
            return null;
        });
        String before = label("#field-requests-message");
        robot.push(KeyCode.ENTER);
        until(() -> !label("#field-requests-message").equals(before));
        assertThat(desktop.window().bench().state().get().isRunning()).isFalse();
        assertThat(field.getText()).isEqualTo("x");
    }

    @Test
    void anArrowKeyChoosesTheArrivalsThatItHighlights() throws Exception {
        ToggleButton closed = robot.lookup("#arrivals-concurrency").queryAs(ToggleButton.class);
        onFx(() -> {
            closed.fire();
            closed.requestFocus();
            return null;
        });
        assertThat(desktop.window().bench().designer().workload().arrivals().get()).isEqualTo(Measure.CONCURRENCY);
        robot.push(KeyCode.RIGHT);
        until(() -> desktop.window().bench().designer().workload().arrivals().get() == Measure.RATE);
        assertThat(node("#field-rate").isVisible()).isTrue();
        assertThat(robot.lookup("#arrivals-rate").queryAs(ToggleButton.class).isSelected()).isTrue();
    }

    @Test
    @Tag(LASTING)
    void stoppingAsksAndKeepsWhatWasMeasured() throws Exception {
        robot.clickOn("#welcome-quick");
        until(() -> desktop.window().bench().live().chart(LiveChart.THROUGHPUT).get() != null);
        askToStop();
        robot.clickOn("#question-instead");
        until(() -> node("#question-action") == null);
        assertThat(desktop.window().bench().state().get().isStopping()).isFalse();
        robot.clickOn("#primary-action");
        until(() -> node("#question-action") != null);
        robot.clickOn("#question-action");
        until(() -> node("#result-card") != null);
    }

    private void askToStop() throws Exception {
        press(() -> node("#question-action") != null, KeyCode.SHIFT, KeyCode.F5);
    }

    /// Presses keys until they have done what they do: a busy machine's window can miss keys while it changes its view.
    private void press(Callable<Boolean> done, KeyCode... keys) throws Exception {
        for (int press = 1; press < PRESSES; press++) {
            pushInWindow(keys);
            try {
                until(SECONDS_OF_PRESS, done);
                return;
            } catch (TimeoutException missed) {
                System.getLogger(FirstRun.class.getName()).log(Level.INFO, "Missed {0}: {1}", List.of(keys), windows());
            }
        }
        pushInWindow(keys);
        until(SECONDS_OF_PRESS, done);
    }

    private void pushInWindow(KeyCode... keys) throws Exception {
        onFx(() -> {
            // Windows of earlier tests can leave none with the focus.
            robot.targetWindow().requestFocus();
            return null;
        });
        robot.push(keys);
    }

    private static List<String> windows() throws Exception {
        return WaitForAsyncUtils
                .asyncFx(() -> Window.getWindows().stream()
                        .map(window -> window + (window.isFocused() ? " with" : " without") + " the focus, on "
                                + (window.getScene() == null ? null : window.getScene().getFocusOwner()))
                        .toList())
                .get();
    }

    private long reports(String ending) throws Exception {
        try (var files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(ending)).count();
        }
    }

    private int rows() {
        return robot.lookup("#results-table").queryAs(TableView.class).getItems().size();
    }

    private Node node(String query) {
        return robot.lookup(query).tryQuery().orElse(null);
    }

    private String label(String query) {
        return robot.lookup(query).queryAs(Label.class).getText();
    }

    private void until(Callable<Boolean> condition) throws Exception {
        until(patienceSeconds(), condition);
    }

    private static void until(long seconds, Callable<Boolean> condition) throws Exception {
        WaitForAsyncUtils.waitFor(seconds, TimeUnit.SECONDS, () -> WaitForAsyncUtils.asyncFx(condition).get());
        WaitForAsyncUtils.waitForFxEvents();
    }

    private static <T> void onFx(Callable<T> action) throws Exception {
        WaitForAsyncUtils.asyncFx(action).get(30, TimeUnit.SECONDS);
    }
}
