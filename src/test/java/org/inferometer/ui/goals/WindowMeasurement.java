package org.inferometer.ui.goals;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import javafx.application.Platform;
import javafx.stage.Stage;
import org.inferometer.ui.fx.JavaFxStart;
import org.inferometer.ui.goals.WindowFigure.Statistic;
import org.inferometer.ui.shell.Desktop;
import org.inferometer.ui.shell.DesktopServices;
import org.inferometer.ui.twin.FileDialogsTwin;
import org.inferometer.units.Clock;

/// Opens the window, measures it and ends it.
public final class WindowMeasurement {
    private static final Duration ECHO = Duration.ofMillis(50);
    private static final double START_MEDIAN_SECONDS = 1.8;
    private static final int SMALL_MACHINE = 2;
    private static final double START_SMALL_SECONDS = 4;
    private final MeasuredWindow window;
    private final Consumer<WindowFigure> report;

    WindowMeasurement(MeasuredWindow window, Consumer<WindowFigure> report) {
        this.window = window;
        this.report = report;
    }

    /// Starts JavaFX and runs one check. Called on the main thread, once per process.
    ///
    /// @param report receives each figure
    public static void run(DesktopServices services, WindowCheck check, WindowCheck.Length options,
            Consumer<WindowFigure> report) throws IOException, InterruptedException {
        FxProbe probe = new FxProbe(services.clock());
        CompletableFuture<Desktop> opened = new CompletableFuture<>();
        JavaFxStart.start(() -> {
            try {
                Stage stage = new Stage();
                Desktop desktop = new Desktop(services, stage, new FileDialogsTwin(services.results().folder()));
                stage.setOnHidden(event -> desktop.end());
                desktop.show();
                opened.complete(desktop);
            } catch (RuntimeException | Error e) {
                opened.completeExceptionally(e);
            }
        });
        try {
            MeasuredWindow window = MeasuredWindow.of(opened.get(), services, probe);
            new WindowMeasurement(window, report).measure(check, options);
            probe.run(window::hide);
        } catch (ExecutionException e) {
            throw new IllegalStateException("The window could not be opened: " + e.getCause(), e.getCause());
        } finally {
            Platform.exit();
        }
    }

    void measure(WindowCheck check, WindowCheck.Length options) throws InterruptedException {
        switch (check) {
            case START -> report.accept(start(window.probe().clock()));
            case OPEN -> new OpeningCheck(window, options).measure().forEach(report);
            case PACING -> new PacingCheck(window, options).measure().forEach(report);
            case TIMELINE -> new TimelineCheck(window, options).measure().forEach(report);
            case LEAKS -> new LeakCheck(window, options).measure().forEach(report);
            case MEMORY -> new MemoryCheck(window, options).measure().forEach(report);
            case STOP -> new RunningChecks(window, options).stop().forEach(report);
            case CPU -> new RunningChecks(window, options).cpu().forEach(report);
            case EXPORT -> new ExportCheck(window, options).measure().forEach(report);
        }
    }

    /// From the start of the process to the first pulse after which the window answers.
    private WindowFigure start(Clock clock) throws InterruptedException {
        window.probe().pulse(window.scene());
        long calm = window.probe().calm(ECHO);
        double sinceCalm = (clock.nanos() - calm) / 1e9;
        double seconds = ProcessHandle.current().info().startInstant()
                .map(began -> Duration.between(began, clock.wall()).toNanos() / 1e9 - sinceCalm)
                .filter(each -> each > 0).orElse(Double.NaN);
        boolean small = Runtime.getRuntime().availableProcessors() <= SMALL_MACHINE;
        return Double.isNaN(seconds)
                ? WindowFigure.notMeasured("G1", "start", "start", "The start of the process is not known here.")
                : new WindowFigure("G1", "start", "process start to a window that answers within 50 ms", "s",
                        Statistic.MEDIAN, small ? START_SMALL_SECONDS : START_MEDIAN_SECONDS, new double[]{seconds},
                        "Files in the page cache; cold starts need the rights to drop it.");
    }
}
