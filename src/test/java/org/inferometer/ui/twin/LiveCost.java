package org.inferometer.ui.twin;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.locks.LockSupport;
import javafx.application.Platform;
import javafx.scene.Scene;
import javafx.stage.Stage;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.ui.bench.LiveMode;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.Ticks.TickThread;
import org.inferometer.ui.fx.UiThread.JavaFxThread;
import org.inferometer.ui.shell.DesktopWindow;
import org.inferometer.ui.theme.Appearance;

/// Measures what the window costs while it shows live frames at 10 Hz: `LiveCost [live|low-impact|blackout]`. Prints the CPU time of the process
/// in percent of one core.
///
/// The service only plays a script, so nearly all of this time is the window's.
public final class LiveCost {
    private static final int WARM_UP_SECONDS = 20;
    private static final int SECONDS = 30;
    private static final int FRAMES_OF_RUN = 120;
    private static final int SIZE = 1000;
    private static final int HEIGHT = 800;

    private LiveCost() {}

    /// Warms up for 20 s and measures for 30 s.
    public static void main(String[] arguments) throws Exception {
        Path folder = Files.createTempDirectory("live-cost");
        LibraryTwin library = new LibraryTwin(folder.resolve("results"));
        ScriptedBenchmark service = new ScriptedBenchmark(library, -1, false, FRAMES_OF_RUN, LockSupport::parkNanos);
        ExecutorService background = BackgroundWork.daemonThreads();
        CountDownLatch shown = new CountDownLatch(1);
        Platform.setImplicitExit(false);
        Platform.startup(() -> {
            Appearance appearance = new Appearance(Shade.LIGHT);
            DesktopWindow window = new DesktopWindow(
                    DesktopTwin.services(DesktopTwin.designer(service, SchedulerRegistry.standard().descriptions()),
                            library, library, ScreenshotComposer.best()),
                    new DesktopWindow.WindowContext(new BackgroundWork(background, new JavaFxThread()),
                            new TickThread(new JavaFxThread()), appearance, new FileDialogsTwin(folder),
                            (heading, detail, action, instead) -> true, () -> {}));
            Scene scene = new Scene(window.createView(), SIZE, HEIGHT);
            appearance.dress(scene);
            Stage stage = new Stage();
            stage.setScene(scene);
            stage.show();
            Platform.runLater(() -> {
                window.bench().live().choose(LiveMode.of(arguments.length > 0 ? arguments[0] : ""));
                window.bench().runQuick();
                shown.countDown();
            });
        });
        shown.await();
        Thread.sleep(Duration.ofSeconds(WARM_UP_SECONDS));
        Duration before = cpu();
        Thread.sleep(Duration.ofSeconds(SECONDS));
        System.out.printf("%.2f %% of one core%n", 100.0 * cpu().minus(before).toMillis() / (SECONDS * 1000.0));
        Platform.exit();
        background.shutdownNow();
    }

    private static Duration cpu() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }
}
