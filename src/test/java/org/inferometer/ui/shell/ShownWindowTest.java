package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import javafx.css.PseudoClass;
import javafx.scene.Node;
import javafx.scene.Scene;
import javafx.scene.control.Alert;
import javafx.scene.control.Button;
import javafx.scene.control.ComboBox;
import javafx.scene.control.ContentDisplay;
import javafx.scene.control.DialogPane;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.ProgressBar;
import javafx.scene.control.ScrollBar;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.TextField;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Region;
import javafx.stage.Screen;
import javafx.stage.Stage;
import javafx.stage.Window;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.fx.Action;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.results.ResultRow;
import org.inferometer.ui.shell.WindowDialogs.ShortcutSheet;
import org.inferometer.ui.theme.Appearance;
import org.inferometer.ui.theme.TextSize;
import org.inferometer.ui.timeline.TimelineSheet;
import org.inferometer.ui.twin.DesktopTwin;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.FileDialogsTwin;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.LibraryTwin;
import org.inferometer.ui.twin.PlainComposer;
import org.inferometer.ui.twin.ScriptedBenchmark;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

/// A low window over two results: one of the workspace and a sample.
class ShownWindowTest {
    @TempDir
    private Path folder;

    private LibraryTwin library;
    private ExperimentRecord schedulers;
    private final InlineUi ui = new InlineUi();
    private DesktopWindow window;
    private Stage stage;
    private Appearance appearance;

    private static <T> T fx(Callable<T> action) throws Exception {
        return WaitForAsyncUtils.asyncFx(action).get(30, TimeUnit.SECONDS);
    }

    @BeforeEach
    void open() throws Exception {
        stage = FxToolkit.registerPrimaryStage();
        library = new LibraryTwin(folder.resolve("results"));
        LibraryTwin samples = new LibraryTwin(folder.resolve("samples"));
        schedulers = Experiments.virtual(library.folder().resolve("schedulers"));
        library.add(schedulers);
        samples.add(Experiments.record(samples.folder().resolve("sample"), Experiments.manifest("sample",
                Experiments.QUICK, RunStatus.COMPLETE, Verdict.Grade.VALID, Instant.EPOCH), List.of()));
        fx(() -> {
            appearance = new Appearance(Shade.LIGHT);
            window = new DesktopWindow(
                    DesktopTwin.services(new ScriptedBenchmark(library, 0), library, samples, new PlainComposer()),
                    new DesktopWindow.WindowContext(ui.work(), ui, appearance, new FileDialogsTwin(folder),
                            (heading, detail, action, instead) -> false, () -> {}));
            Scene scene = new Scene(window.createView(), 900, 420);
            appearance.dress(scene);
            stage.setScene(scene);
            stage.show();
            layout();
            return null;
        });
    }

    @AfterEach
    void close() throws Exception {
        fx(() -> {
            window.dispose();
            List.copyOf(Window.getWindows()).forEach(Window::hide);
            stage.setScene(null);
            return null;
        });
    }

    private void layout() {
        stage.getScene().getRoot().applyCss();
        stage.getScene().getRoot().layout();
    }

    private Node node(String id) {
        layout();
        return stage.getScene().lookup(id);
    }

    @Test
    void samplesCloseTheOpenResult() throws Exception {
        fx(() -> {
            window.openResult(schedulers.folder());
            assertThat(node("#result-detail")).isNotNull();
            window.showBench();
            ((Button) node("#welcome-samples")).fire();
            assertThat(window.results().opened().get()).isNull();
            assertThat(node("#result-detail")).isNull();
            assertThat(window.results().rows()).extracting(ResultRow::origin).containsExactly(ResultRow.Origin.SAMPLE);
            return null;
        });
    }

    @Test
    void aServerIsMeasuredFromItsAddress() throws Exception {
        fx(() -> {
            window.showBench();
            Button check = (Button) node("#welcome-server-check");
            Button measure = (Button) node("#welcome-server-measure");
            check.fire();
            assertThat(((Label) node("#welcome-server-fault")).getText())
                    .isEqualTo("Type the address of a server, as in http://127.0.0.1:8000");
            TextField address = (TextField) node("#welcome-server");
            address.setText("localhost:8000");
            assertThat(node("#welcome-server-fault").isVisible()).isFalse();
            assertThat(measure.getParent().isVisible()).isFalse();
            check.fire();
            assertThat(measure.getParent().isVisible()).isTrue();
            address.setText("localhost:8001");
            assertThat(measure.getParent().isVisible()).isFalse();
            check.fire();
            measure.fire();
            ExperimentSpec spec = window.bench().designer().spec().orElseThrow();
            assertThat(spec.targets()).containsExactly(Selection.parse("http:url=http://localhost:8001"));
            assertThat(spec.engines()).isEmpty();
            assertThat(spec.workloads()).extracting(WorkloadSpec::name).containsExactly("chat-c1", "chat-c2", "chat-c4",
                    "chat-c8");
            assertThat(window.bench().state().get().isRunning()).isTrue();
            return null;
        });
    }

    @Test
    void buttonsOfTheTableHideBesideAnOpenResult() throws Exception {
        fx(() -> {
            window.showResults();
            List<Node> ofTable = List.of(node("#results-compare"), node("#results-open"));
            assertThat(ofTable).allMatch(Node::isVisible);
            window.openResult(schedulers.folder());
            assertThat(ofTable).noneMatch(Node::isVisible).noneMatch(Node::isManaged);
            assertThat(node("#detail-compare").isVisible()).isTrue();
            window.results().close();
            assertThat(ofTable).allMatch(Node::isVisible);
            return null;
        });
    }

    @Test
    void aDialogLargerThanTheScreenScrolls() throws Exception {
        fx(() -> {
            Appearance appearance = new Appearance(Shade.LIGHT);
            appearance.setTextSize(new TextSize(150));
            DialogPane keys = InfoDialog.of("Keys", "", ShortcutSheet.createView("F5   run\n".repeat(40)),
                    stage.getScene().getRoot(), appearance).getDialogPane();
            assertThat(keys.prefHeight(-1)).isLessThan(Screen.getPrimary().getVisualBounds().getHeight());
            assertThat(keys.getContent()).isInstanceOf(ScrollPane.class);
            DialogPane few = InfoDialog
                    .of("Keys", "", ShortcutSheet.createView("F5   run\n"), stage.getScene().getRoot(), appearance)
                    .getDialogPane();
            assertThat(few.getContent()).isNotInstanceOf(ScrollPane.class);
            return null;
        });
    }

    @Test
    void preferencesHaveTheirSizeBeforeTheyOpen() throws Exception {
        fx(() -> {
            Appearance appearance = new Appearance(Shade.LIGHT);
            PreferencesPane form =
                    new PreferencesPane(new Preferences(new Settings(folder.resolve("settings")), appearance),
                            window.bench().live(), List.of());
            InfoDialog.of("Preferences", "", form, stage.getScene().getRoot(), appearance);
            assertThat(((GridPane) form.lookup("#preferences")).getChildren()).filteredOn(ComboBox.class::isInstance)
                    .hasSize(3).allSatisfy(
                            chooser -> assertThat(chooser.getLayoutBounds().getHeight()).isGreaterThanOrEqualTo(20));
            return null;
        });
    }

    @Test
    void openPreferencesGrowWithTheirTexts() throws Exception {
        fx(() -> {
            Appearance appearance = new Appearance(Shade.LIGHT);
            Preferences preferences = new Preferences(new Settings(folder.resolve("settings")), appearance);
            Alert dialog =
                    InfoDialog.of("Preferences", "", new PreferencesPane(preferences, window.bench().live(), List.of()),
                            stage.getScene().getRoot(), appearance);
            dialog.show();
            DialogPane pane = dialog.getDialogPane();
            Window around = pane.getScene().getWindow();
            double before = around.getWidth();
            preferences.textSize().set(new TextSize(150));
            preferences.contrast().set(true);
            pane.applyCss();
            pane.layout();
            assertThat(around.getWidth()).isGreaterThan(before * 1.4);
            assertThat(pane.getWidth()).isGreaterThanOrEqualTo(pane.prefWidth(-1));
            assertThat(pane.getHeight()).isGreaterThanOrEqualTo(pane.prefHeight(pane.getWidth()) - 1);
            assertThat(pane.getPseudoClassStates()).extracting(PseudoClass::getPseudoClassName).contains("contrast");
            dialog.close();
            preferences.contrast().set(false);
            assertThat(pane.getPseudoClassStates()).as("closed, it follows no more")
                    .extracting(PseudoClass::getPseudoClassName).contains("contrast");
            return null;
        });
    }

    @Test
    void noticesWidenWithTheirTexts() throws Exception {
        fx(() -> {
            window.notifier().problem("The results cannot be read: no space left on device.");
            Region notice = (Region) node("#notices").lookup(".notification");
            assertThat(notice.getWidth()).isEqualTo(380);
            appearance.setTextSize(new TextSize(150));
            layout();
            assertThat(notice.getWidth()).isEqualTo(570);
            return null;
        });
    }

    @Test
    void aProblemFoldsIntoTheBell() throws Exception {
        fx(() -> {
            window.notifier().problem("The results cannot be read: no space left on device.");
            MenuButton bell = (MenuButton) node("#notice-bell");
            layout();
            assertThat(bell.getText()).isEqualTo("1");
            assertThat(bell.getContentDisplay()).as("the number is shown").isEqualTo(ContentDisplay.LEFT);
            assertThat(bell.getPseudoClassStates()).extracting(PseudoClass::getPseudoClassName).contains("problem");
            ui.tick();
            assertThat(node("#notices").lookup(".notification")).isNull();
            assertThat(bell.getText()).isEqualTo("1");
            return null;
        });
    }

    @Test
    void aPinnedRequestIsInViewInTheTimeline() throws Exception {
        fx(() -> {
            int last = schedulers.runs().getFirst().observations().requests().size() - 1;
            window.showRequest(schedulers, 0, last);
            Region canvas = (Region) node("#timeline-canvas");
            ScrollBar bar = (ScrollBar) canvas.lookup(".scroll-bar");
            TimelineSheet.SheetRow row =
                    window.timeline().sheet().get().rowOf(window.timeline().marks().pinned().get()).orElseThrow();
            assertThat(bar.getMax()).as("the window is too low for all rows").isPositive();
            assertThat(bar.getValue()).isPositive().isLessThanOrEqualTo(row.top());
            assertThat(row.top() + row.height()).isLessThanOrEqualTo(bar.getValue() + canvas.getHeight());
            return null;
        });
    }

    @Test
    void menusChangeTheSizeOfTextsWithinItsLimits() throws Exception {
        fx(() -> {
            assertThat(action("menu-text-usual").unavailable().getValue()).isEqualTo("Texts have this size.");
            for (int step = 0; step < 3; step++) {
                action("menu-text-larger").onAction().run();
            }
            assertThat(appearance.textSize().get()).isEqualTo(new TextSize(150));
            assertThat(action("menu-text-larger").unavailable().getValue()).isEqualTo("Texts have the largest size.");
            action("menu-text-smaller").onAction().run();
            assertThat(appearance.textSize().get()).isEqualTo(new TextSize(130));
            action("menu-text-usual").onAction().run();
            assertThat(appearance.textSize().get()).isEqualTo(TextSize.USUAL);
            return null;
        });
    }

    @Test
    void menuZoomsTheTimelineThatIsShown() throws Exception {
        fx(() -> {
            assertThat(action("menu-zoom-in").unavailable().getValue()).isEqualTo("Click a chart first.");
            window.showTimeline(schedulers, 0);
            assertThat(action("menu-zoom-in").available()).isTrue();
            long whole = window.timeline().visible().window().get().length();
            action("menu-zoom-in").onAction().run();
            assertThat(window.timeline().visible().window().get().length()).isEqualTo(whole / 2);
            action("menu-zoom-fit").onAction().run();
            assertThat(window.timeline().visible().window().get().length()).isEqualTo(whole);
            return null;
        });
    }

    @Test
    void problemReportNamesTheProgramAndNoUser() throws Exception {
        fx(() -> {
            window.notifier().problem("Cannot read " + folder.resolve("secret-folder/results") + ".");
            action("menu-problem").onAction().run();
            return null;
        });
        String written = Files.readString(folder.resolve("inferometer-problem.txt"));
        assertThat(written).startsWith("Inferometer 0.1.0\n")
                .contains("java.runtime.version: ", "machine: Intel Xeon", "notices, the newest first:", "Cannot read")
                .doesNotContain("secret-folder");
        assertThat(fx(() -> ((MenuButton) node("#notice-bell")).getText())).as("it says so").isEqualTo("2");
    }

    @Test
    void statusLineShowsProgressInEveryView() throws Exception {
        fx(() -> {
            ProgressBar bar = (ProgressBar) node("#status-line").lookup(".progress-bar");
            assertThat(bar.isVisible()).isFalse();
            window.runQuick();
            return null;
        });
        WaitForAsyncUtils.waitFor(20, TimeUnit.SECONDS, () -> fx(() -> {
            ui.tick();
            window.showResults();
            ProgressBar bar = (ProgressBar) node("#status-line").lookup(".progress-bar");
            return bar.isVisible() && bar.getProgress() > 0;
        }));
    }

    private Action action(String id) {
        return window.actions().all().stream().filter(each -> each.id().equals(id)).findFirst().orElseThrow();
    }
}
