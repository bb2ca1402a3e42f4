package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javafx.application.Platform;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.stage.Stage;
import javafx.stage.WindowEvent;
import org.inferometer.record.RunStatus;
import org.inferometer.ui.fx.Messages;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.twin.DesktopTwin;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.FileDialogsTwin;
import org.inferometer.ui.twin.LibraryTwin;
import org.inferometer.ui.twin.PlainComposer;
import org.inferometer.ui.twin.ScriptedBenchmark;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.api.FxRobot;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

/// The window after a crash, and the end of the window while an experiment runs.
class CrashAndQuitTest {
    @TempDir
    Path folder;

    private final FxRobot robot = new FxRobot();
    private final List<Desktop> opened = new ArrayList<>();

    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    private static <T> T onFx(Callable<T> action) throws Exception {
        return WaitForAsyncUtils.asyncFx(action).get(20, TimeUnit.SECONDS);
    }

    private static void until(Callable<Boolean> condition) throws Exception {
        WaitForAsyncUtils.waitFor(20, TimeUnit.SECONDS, () -> WaitForAsyncUtils.asyncFx(condition).get());
    }

    private Node node(String query) {
        return robot.lookup(query).tryQuery().orElse(null);
    }

    private Desktop open(Stage stage, Path settings, LibraryTwin library, ScriptedBenchmark service) throws Exception {
        DesktopServices twins =
                DesktopTwin.services(service, library, new LibraryTwin(folder.resolve("samples")), new PlainComposer());
        DesktopServices services = new DesktopServices(twins.designer(), twins.results(), twins.machine(),
                twins.devices(), twins.composer(), twins.renderer(), new Settings(settings), twins.machines(),
                twins.prompts(), twins.clock(), twins.version());
        Desktop desktop = onFx(() -> {
            Desktop made = new Desktop(services, stage, new FileDialogsTwin(folder));
            made.show();
            made.restore();
            return made;
        });
        opened.add(desktop);
        return desktop;
    }

    @AfterEach
    void close() throws Exception {
        for (Desktop desktop : opened) {
            onFx(() -> {
                desktop.end();
                return true;
            });
        }
        FxToolkit.cleanupStages();
    }

    @Test
    void crashLosesNothingAndQuittingStopsTheRun() throws Exception {
        LibraryTwin library = new LibraryTwin(folder.resolve("results"));
        Path result = folder.resolve("results").resolve("schedulers");
        library.add(Experiments.virtual(result));
        Path settings = folder.resolve("settings.properties");
        Desktop first = open(FxToolkit.registerPrimaryStage(), settings, library, new ScriptedBenchmark(library, 0));
        onFx(() -> {
            first.window().openResult(result);
            return true;
        });
        until(() -> Files.exists(settings) && Files.readString(settings).contains("session-result=")
                && Files.readString(settings).contains("schedulers"));

        // What a killed process leaves behind.
        Path left = Files.createDirectories(folder.resolve("after")).resolve("settings.properties");
        Files.copy(settings, left);
        ScriptedBenchmark running = new ScriptedBenchmark(library, 0);
        Stage stage = onFx(Stage::new);
        Desktop second = open(stage, left, library, running);
        until(() -> second.window().results().opened().get() != null);
        assertThat(second.window().results().opened().get().record().folder()).isEqualTo(result);
        until(() -> robot.lookup(Messages.text("session.restored")).tryQuery().isPresent());

        onFx(() -> {
            second.window().showBench();
            second.window().runQuick();
            return true;
        });
        running.awaitTheMiddle();
        WaitForAsyncUtils.asyncFx(() -> stage.fireEvent(new WindowEvent(stage, WindowEvent.WINDOW_CLOSE_REQUEST)));
        until(() -> node("#quit-cancel") != null);
        robot.clickOn("#quit-cancel");
        until(() -> node("#quit-cancel") == null);
        assertThat(stage.isShowing()).isTrue();
        WaitForAsyncUtils.asyncFx(() -> stage.fireEvent(new WindowEvent(stage, WindowEvent.WINDOW_CLOSE_REQUEST)));
        until(() -> node("#quit-stop") != null);
        robot.clickOn("#quit-stop");
        until(() -> !stage.isShowing());
        assertThat(running.wasCancelled()).isTrue();
    }

    @Test
    void aLeftExperimentGoesOnAndALaterStartShowsIt() throws Exception {
        LibraryTwin library = new LibraryTwin(folder.resolve("results"));
        ScriptedBenchmark service = new ScriptedBenchmark(library, 0);
        Stage stage = onFx(Stage::new);
        Desktop desktop = open(stage, folder.resolve("settings.properties"), library, service);
        List<Consumer<Optional<Path>>> starts = new ArrayList<>();
        CountDownLatch ended = new CountDownLatch(1);
        onFx(() -> {
            desktop.listen(starts::add);
            desktop.onClosed(ended::countDown);
            desktop.window().runQuick();
            return true;
        });
        service.awaitTheMiddle();
        leave(stage);
        assertThat(service.wasCancelled()).isFalse();
        until(() -> Files.readString(folder.resolve("settings.properties")).contains("window="));

        starts.getFirst().accept(Optional.empty());
        until(stage::isShowing);
        until(() -> node("#live") != null && node("#live-headline") != null);
        assertThat(onFx(() -> desktop.window().bench().state().get().isRunning())).isTrue();

        leave(stage);
        assertThat(ended.getCount()).isOne();
        service.goOn();
        assertThat(ended.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(library.entries()).singleElement()
                .satisfies(entry -> assertThat(entry.manifest().orElseThrow().status()).isEqualTo(RunStatus.COMPLETE));
    }

    /// Closes the window with the answer that Enter gives.
    private void leave(Stage stage) throws Exception {
        WaitForAsyncUtils.asyncFx(() -> stage.fireEvent(new WindowEvent(stage, WindowEvent.WINDOW_CLOSE_REQUEST)));
        until(() -> node("#quit-background") != null);
        assertThat(((Button) node("#quit-background")).isDefaultButton()).isTrue();
        robot.clickOn("#quit-background");
        until(() -> !stage.isShowing());
    }

    @Test
    void aFailureIsShownAndLoggedWithItsTrace() throws Exception {
        List<LogRecord> logged = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger(ErrorDialog.class.getName());
        Handler keeps = new Handler() {
            @Override
            public void publish(LogRecord line) {
                logged.add(line);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(keeps);
        logger.setUseParentHandlers(false);
        try {
            openEmpty();
            IllegalStateException failure = new IllegalStateException("made up");
            Platform.runLater(() -> {
                throw failure;
            });
            until(() -> node("#failure-continue") != null);
            robot.clickOn("#failure-continue");
            until(() -> node("#failure-continue") == null);
            assertThat(logged).singleElement().satisfies(line -> assertThat(line.getLevel()).isEqualTo(Level.SEVERE))
                    .satisfies(line -> assertThat(line.getThrown()).isSameAs(failure));
        } finally {
            logger.setUseParentHandlers(true);
            logger.removeHandler(keeps);
        }
    }

    @Test
    void onlyALaunchedWindowShowsFailuresOfAllThreads() throws Exception {
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        openEmpty();
        assertThat(Thread.getDefaultUncaughtExceptionHandler()).isSameAs(before);
    }

    private void openEmpty() throws Exception {
        LibraryTwin library = new LibraryTwin(folder.resolve("results"));
        open(FxToolkit.registerPrimaryStage(), folder.resolve("settings.properties"), library,
                new ScriptedBenchmark(library, 0));
    }
}
