package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javafx.scene.Node;
import javafx.scene.control.ButtonBase;
import javafx.scene.control.Label;
import javafx.scene.input.KeyCode;
import javafx.stage.Stage;
import javax.imageio.ImageIO;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.ui.timeline.TimeWindow;
import org.inferometer.ui.timeline.TimelineViewModel;
import org.inferometer.ui.twin.CssFaults;
import org.inferometer.ui.twin.DesktopTwin;
import org.inferometer.ui.twin.Experiments;
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

/// Schedulers seen at work, as a person does it: from a result to its timeline, closer, from step to step, and into files.
class SeenAtWorkTest {
    @TempDir
    Path folder;

    private final FxRobot robot = new FxRobot();
    private final CssFaults cssFaults = new CssFaults();
    private Desktop desktop;
    private TimelineViewModel timeline;

    @BeforeEach
    void open() throws Exception {
        Stage stage = FxToolkit.registerPrimaryStage();
        LibraryTwin library = new LibraryTwin(folder.resolve("results"));
        library.add(Experiments.virtual(folder.resolve("results").resolve("schedulers")));
        DesktopServices services = DesktopTwin.services(new ScriptedBenchmark(library, 0), library,
                new LibraryTwin(folder.resolve("samples")), new PlainComposer());
        onFx(() -> {
            cssFaults.listen();
            desktop = new Desktop(services, stage, new FileDialogsTwin(folder));
            desktop.show();
            timeline = desktop.window().timeline();
            return null;
        });
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
    void aPersonGetsFromTheRailToAStepAndItsReason() throws Exception {
        openTimeline();
        TimeWindow whole = timeline.visible().window().get();
        press("#timeline-fit");
        press("#timeline-zoom-in");
        until(() -> timeline.visible().window().get().length() < whole.length());
        robot.clickOn("#timeline-canvas");
        robot.push(KeyCode.F);
        robot.push(KeyCode.ESCAPE);
        robot.push(KeyCode.RIGHT);
        robot.push(KeyCode.RIGHT);
        until(() -> label("#timeline-details-title").equals("Step 1"));
        assertThat(label("#timeline-reason")).isNotEmpty();
        assertThat(node("#timeline-canvas").getAccessibleText()).startsWith("Step 1\n");
        robot.push(KeyCode.ENTER);
        until(() -> timeline.visible().window().get().length() < whole.length() / 4);
        robot.push(KeyCode.ESCAPE);
        until(() -> label("#timeline-details-title").equals("Details"));
        robot.push(KeyCode.CONTROL, KeyCode.SHIFT, KeyCode.E);
        until(() -> !node("#timeline-events").isVisible());
        assertThat(timeline.run().get()).isEqualTo(timeline.runs().getLast());
        robot.clickOn("#timeline-image");
        robot.clickOn("#timeline-image-save");
        until(() -> node("#export-save") != null);
        robot.clickOn("#export-save");
        until(() -> pictures().size() == 1);
        assertThat(ImageIO.read(pictures().getFirst().toFile()).getWidth())
                .isEqualTo((int) (2 * (node("#timeline-canvas").getLayoutBounds().getWidth() - 12)));
        robot.clickOn("#theme-toggle");
        robot.clickOn("#theme-toggle");
        assertThat(cssFaults.all()).isEmpty();
    }

    private List<Path> pictures() {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().matches("timeline_.*\\.png")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aResultLeadsToTheTimelineOfItsRunAndToItsFiles() throws Exception {
        robot.clickOn("#rail-results");
        until(() -> !desktop.window().results().rows().isEmpty());
        onFx(() -> {
            desktop.window().results().open(desktop.window().results().rows().getFirst());
            return null;
        });
        until(() -> node("#result-detail") != null);
        assertThat(robot.lookup("#explanations").tryQuery()).isPresent();
        robot.clickOn("#detail-export");
        until(() -> node("#export-schedulers") != null);
        robot.clickOn("#export-schedulers");
        until(() -> Files.exists(folder.resolve("export").resolve("benchmark_report.txt")));
        robot.clickOn("#detail-tab-runs");
        until(() -> node("#run-timeline") != null);
        robot.clickOn("#run-timeline");
        until(() -> timeline.stage().get() == TimelineViewModel.LoadState.READY && node("#timeline-canvas") != null);
        assertThat(timeline.runs()).hasSize(SchedulerRegistry.standard().names().size());
        assertThat(cssFaults.all()).isEmpty();
    }

    @Test
    void everySchedulersTimelineIsDrawnFromWholeToSingleSteps() throws Exception {
        onFx(() -> {
            desktop.window().showTimeline();
            return null;
        });
        for (int run = 0; run < SchedulerRegistry.standard().names().size(); run++) {
            int shown = run;
            onFx(() -> {
                timeline.open(Experiments.virtual(folder), shown);
                return null;
            });
            until(() -> timeline.stage().get() == TimelineViewModel.LoadState.READY);
            for (int closer = 0; closer < 12; closer++) {
                onFx(() -> {
                    timeline.visible().zoom(0.4);
                    timeline.stepBy(1);
                    return null;
                });
            }
            WaitForAsyncUtils.waitForFxEvents();
            assertThat(timeline.visible().window().get().length()).isPositive();
        }
        assertThat(cssFaults.all()).isEmpty();
    }

    private void openTimeline() throws Exception {
        press("#rail-timeline");
        until(() -> timeline.stage().get() == TimelineViewModel.LoadState.READY && node("#timeline-canvas") != null);
    }

    /// Presses a button without the robot's pointer.
    private void press(String button) throws Exception {
        onFx(() -> {
            robot.lookup(button).queryAs(ButtonBase.class).fire();
            return null;
        });
    }

    private Node node(String query) {
        return robot.lookup(query).queryAll().stream().max(Comparator.comparing(Node::isVisible)).orElse(null);
    }

    private String label(String query) {
        return robot.lookup(query).queryAs(Label.class).getText();
    }

    private static void until(Callable<Boolean> condition) throws Exception {
        WaitForAsyncUtils.waitFor(30, TimeUnit.SECONDS, () -> WaitForAsyncUtils.asyncFx(condition).get());
        WaitForAsyncUtils.waitForFxEvents();
    }

    private static <T> void onFx(Callable<T> action) throws Exception {
        WaitForAsyncUtils.asyncFx(action).get(30, TimeUnit.SECONDS);
    }
}
