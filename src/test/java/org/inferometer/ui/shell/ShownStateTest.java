package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import javafx.scene.Node;
import javafx.scene.control.TabPane;
import javafx.scene.control.TableView;
import javafx.scene.control.TextField;
import javafx.stage.Stage;
import org.inferometer.results.bundle.SavedLook;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.results.ShownResults;
import org.inferometer.ui.timeline.TimeWindow;
import org.inferometer.ui.twin.DesktopTwin;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.FileDialogsTwin;
import org.inferometer.ui.twin.LibraryTwin;
import org.inferometer.ui.twin.PlainComposer;
import org.inferometer.ui.twin.ScriptedBenchmark;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.api.FxRobot;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

/// What the window shows, after a restart and in the window of another person.
class ShownStateTest {
    private static final SavedLook LOOK = new SavedLook(
            new SavedLook.PageLook("detail-tab-requests", List.of(), List.of(), "ttft > 1ms"),
            new SavedLook.ComparisonLook(List.of(), "output_throughput=7%", true),
            new SavedLook.TimelineLook(null, List.of(new SavedLook.RequestRule("slow", "", true)), List.of(), true));

    @TempDir
    Path folder;

    private final FxRobot robot = new FxRobot();
    private final List<Desktop> open = new ArrayList<>();

    private Desktop window(String workspace, String settings, FileDialogsTwin dialogs) throws Exception {
        LibraryTwin library = new LibraryTwin(folder.resolve(workspace).resolve("results"));
        DesktopServices twins = DesktopTwin.services(new ScriptedBenchmark(library, 0), library,
                new LibraryTwin(folder.resolve(workspace).resolve("samples")), new PlainComposer());
        DesktopServices services = new DesktopServices(twins.designer(), twins.results(), twins.machine(),
                twins.devices(), twins.composer(), twins.renderer(), new Settings(folder.resolve(settings)),
                twins.machines(), twins.prompts(), twins.clock(), twins.version());
        Desktop desktop = onFx(() -> {
            Desktop made = new Desktop(services, new Stage(), dialogs);
            made.show();
            made.restore();
            return made;
        });
        open.add(desktop);
        return desktop;
    }

    private void end(Desktop desktop) throws Exception {
        open.remove(desktop);
        onFx(() -> {
            desktop.scene().getWindow().hide();
            desktop.end();
            return true;
        });
    }

    private Path experiment(String workspace, String name) {
        Path result = folder.resolve(workspace).resolve("results").resolve(name).toAbsolutePath();
        new LibraryTwin(result.getParent()).add(Experiments.virtual(result));
        return result;
    }

    @AfterEach
    void close() throws Exception {
        for (Desktop desktop : List.copyOf(open)) {
            end(desktop);
        }
        FxToolkit.cleanupStages();
    }

    /// Arranges the window as a person does.
    private void arrange(Desktop desktop, Path result) throws Exception {
        onFx(() -> {
            desktop.window().openResult(result);
            return true;
        });
        until(() -> node("#result-detail") != null);
        onFx(() -> {
            tabs().getSelectionModel().select(3);
            return true;
        });
        until(() -> node("#requests-filter") != null);
        onFx(() -> {
            robot.lookup("#requests-filter").queryAs(TextField.class).setText("ttft > 1ms");
            TableView<?> table = robot.lookup("#requests-table").queryAs(TableView.class);
            sort(table);
            desktop.window().timeline().open(desktop.window().results().opened().get().record(), 1);
            return true;
        });
        until(() -> desktop.window().timeline().sheet().get() != null);
        onFx(() -> {
            desktop.window().timeline().visible().look(new TimeWindow(1_000_000, 500_000_000));
            desktop.window().results().filter().search().set("schedulers");
            desktop.window().showResults();
            return true;
        });
    }

    private static <R> void sort(TableView<R> table) {
        table.getSortOrder().setAll(List.of(table.getColumns().get(5)));
    }

    private TabPane tabs() {
        return robot.lookup("#detail-tabs").queryAs(TabPane.class);
    }

    @Test
    void restartShowsTheSame() throws Exception {
        FxToolkit.registerPrimaryStage();
        Path result = experiment("workspace", "schedulers");
        Path other = experiment("workspace", "other");
        Desktop first = window("workspace", "settings.properties", new FileDialogsTwin(folder));
        arrange(first, result);
        Session.Open before = onFx(() -> first.window().open());
        assertThat(before.shown().look().page().tab()).isEqualTo("detail-tab-requests");
        assertThat(before.shown().look().page().requests()).isEqualTo("ttft > 1ms");
        assertThat(before.shown().look().page().tables()).singleElement()
                .satisfies(table -> assertThat(table.sorted()).isEqualTo("requests.ttft"));
        end(first);

        Desktop second = window("workspace", "settings.properties", new FileDialogsTwin(folder));
        until(() -> second.window().timeline().sheet().get() != null && node("#requests-filter") != null);
        until(() -> second.window().open().equals(before));
        assertThat(onFx(() -> tabs().getSelectionModel().getSelectedItem().getId())).isEqualTo("detail-tab-requests");
        assertThat(onFx(() -> robot.lookup("#requests-filter").queryAs(TextField.class).getText()))
                .isEqualTo("ttft > 1ms");
        assertThat(onFx(() -> second.window().timeline().visible().window().get()))
                .isEqualTo(new TimeWindow(1_000_000, 500_000_000));

        onFx(() -> {
            ShownResults now = second.window().open().shown();
            second.window()
                    .restore(new Session.Open(NavigationRail.View.RESULTS,
                            new ShownResults(now.opened(),
                                    List.of(new ShownResults.ComparedPart(result, "1"),
                                            new ShownResults.ComparedPart(other, "")),
                                    true, now.timeline(), LOOK),
                            before.list(), null, ""));
            return true;
        });
        until(() -> node("#comparison") != null && node("#gate-strict") != null);
        until(() -> second.window().open().shown().look().timeline().equals(LOOK.timeline()));
        Session.Open compared = onFx(() -> second.window().open());
        assertThat(compared.shown().compared()).isEqualTo(
                List.of(new ShownResults.ComparedPart(result, "1"), new ShownResults.ComparedPart(other, "")));
        assertThat(compared.shown().look().comparison()).isEqualTo(LOOK.comparison());
        end(second);
        Desktop third = window("workspace", "settings.properties", new FileDialogsTwin(folder));
        until(() -> node("#comparison") != null && third.window().timeline().sheet().get() != null);
        until(() -> third.window().open().shown().equals(compared.shown()));
    }

    @Test
    void bundleShowsTheSameToAnother() throws Exception {
        FxToolkit.registerPrimaryStage();
        FileDialogsTwin dialogs = new FileDialogsTwin(folder);
        Desktop mine = window("workspace", "mine/settings.properties", dialogs);
        arrange(mine, experiment("workspace", "schedulers"));
        SavedLook look = onFx(() -> mine.window().open().shown().look());
        dialogs.typeOnSave("seen.inferometer");
        onFx(() -> {
            mine.window().actions().all().stream().filter(action -> action.id().equals("menu-save-bundle"))
                    .forEach(action -> action.onAction().run());
            return true;
        });
        until(() -> Files.exists(folder.resolve("seen.inferometer")));
        end(mine);

        Desktop theirs = window("elsewhere", "theirs/settings.properties", new FileDialogsTwin(folder));
        onFx(() -> {
            theirs.window().open(folder.resolve("seen.inferometer"));
            return true;
        });
        until(() -> theirs.window().timeline().sheet().get() != null && node("#requests-filter") != null);
        until(() -> theirs.window().open().shown().look().equals(look));
        assertThat(onFx(() -> tabs().getSelectionModel().getSelectedItem().getId())).isEqualTo("detail-tab-requests");
    }

    private Node node(String query) {
        return robot.lookup(query).tryQuery().orElse(null);
    }

    private static void until(Callable<Boolean> condition) throws Exception {
        WaitForAsyncUtils.waitFor(20, TimeUnit.SECONDS, () -> WaitForAsyncUtils.asyncFx(condition).get());
        WaitForAsyncUtils.waitForFxEvents();
    }

    private static <T> T onFx(Callable<T> action) throws Exception {
        return WaitForAsyncUtils.asyncFx(action).get(30, TimeUnit.SECONDS);
    }
}
