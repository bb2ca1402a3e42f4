package org.inferometer.ui.twin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javafx.scene.Scene;
import javafx.stage.Stage;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.ui.chart.ChartDrawing;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.Ticks.TickThread;
import org.inferometer.ui.fx.UiThread.JavaFxThread;
import org.inferometer.ui.results.ResultExport;
import org.inferometer.ui.shell.DesktopServices;
import org.inferometer.ui.shell.DesktopWindow;
import org.inferometer.ui.theme.Appearance;
import org.inferometer.ui.theme.TextSize;

/// A window over a workspace of results that are hard to show: 18 cells, long names, a stopped and an INVALID experiment, an import, every
/// scheduler, a record that cannot be read. Belongs to the JavaFX thread.
final class DesktopScreen {
    // The headless screen is 1000 pixels wide and high; larger scenes are laid out by their snapshots alone.
    private static final double LARGEST_WINDOW = 1000;
    private final LibraryTwin library;
    private final ExperimentRecord schedulers;
    private final Path foreign;
    private final ScriptedBenchmark service;
    private final TickThread pump = new TickThread(new JavaFxThread());
    private final ThreadPoolExecutor background =
            new ThreadPoolExecutor(2, 2, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
                Thread thread = new Thread(work, "screen-background");
                thread.setDaemon(true);
                return thread;
            });
    private final Appearance appearance;
    private final DesktopWindow window;
    private final Scene scene;
    private final Stage stage = new Stage();

    DesktopScreen(Path made, DesktopScreenshots.Look look, Shade shade, ChartDrawing.Composer composer) {
        this(made, look, shade, composer, true);
    }

    /// The same over a workspace without results.
    static DesktopScreen empty(Path made, DesktopScreenshots.Look look, Shade shade, ChartDrawing.Composer composer) {
        return new DesktopScreen(made, look, shade, composer, false);
    }

    private DesktopScreen(Path made, DesktopScreenshots.Look look, Shade shade, ChartDrawing.Composer composer,
            boolean filled) {
        library = new LibraryTwin(made.resolve("results"));
        schedulers = Experiments.virtual(made.resolve("results").resolve("schedulers"));
        service = new ScriptedBenchmark(library, 2, true);
        LibraryTwin samples = new LibraryTwin(made.resolve("samples"));
        foreign = made.resolve("files");
        if (filled) {
            fill(library, samples);
            library.add(schedulers);
            library.add(Experiments.paired(library.folder().resolve("paired"), "paired"));
        }
        appearance = new Appearance(shade);
        DesktopServices services = DesktopTwin.services(
                DesktopTwin.designer(service, SchedulerRegistry.standard().descriptions()), library, samples, composer);
        // The tour would cover what is looked at.
        services.settings().put("tour-seen", "true");
        window = new DesktopWindow(services,
                new DesktopWindow.WindowContext(new BackgroundWork(background, new JavaFxThread()), pump, appearance,
                        new FileDialogsTwin(made), (heading, detail, action, instead) -> true, () -> {}));
        // The window takes the size of its settings first.
        appearance.setTextSize(new TextSize(look.textPercent()));
        scene = new Scene(window.createView(), look.width(), look.height());
        appearance.dress(scene);
        boolean headless = "Headless".equals(System.getProperty("glass.platform"));
        if (!headless || (look.width() <= LARGEST_WINDOW && look.height() <= LARGEST_WINDOW)) {
            stage.setScene(scene);
            stage.show();
        }
    }

    LibraryTwin library() {
        return library;
    }

    ExperimentRecord schedulers() {
        return schedulers;
    }

    ScriptedBenchmark service() {
        return service;
    }

    DesktopWindow window() {
        return window;
    }

    Appearance appearance() {
        return appearance;
    }

    Scene scene() {
        return scene;
    }

    /// A file as vLLM's benchmark writes it.
    Path foreignFile() {
        try {
            return ResultExport.write(schedulers, "vllm", foreign).files().getFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Whether background work and the script have nothing to do.
    boolean rests() {
        return background.getActiveCount() == 0 && background.getQueue().isEmpty() && service.rests();
    }

    void end() {
        window.dispose();
        stage.hide();
        pump.close();
        background.shutdown();
    }

    private static void fill(LibraryTwin library, LibraryTwin samples) {
        Instant day = Instant.parse("2026-11-20T09:15:00Z");
        library.add(Experiments.record(library.folder().resolve("2026-11-20_091500_engines"),
                Experiments.manifest("2026-11-20_091500_engines", DesignedSpecs.repeated("engines", 3),
                        RunStatus.COMPLETE, Verdict.Grade.VALID, day),
                List.of("The last line of run-2/tokens.bin was torn and left out.")));
        library.add(
                Experiments
                        .record(library.folder().resolve("b"),
                                Experiments.manifest("2026-11-19_170211_bench", DesignedSpecs.repeated("bench", 1),
                                        RunStatus.CANCELLED, Verdict.Grade.INVALID, day.minusSeconds(70_000)),
                                List.of()));
        library.add(Experiments.record(
                library.folder().resolve("c"), Experiments.manifest("2026-11-18_080000_bench",
                        DesignedSpecs.repeated("bench", 2), RunStatus.INTERRUPTED, null, day.minusSeconds(190_000)),
                List.of()));
        library.add(
                Experiments.record(
                        library.folder().resolve("sweep"), Experiments.manifest("2026-11-18_100000_sweep",
                                Experiments.SWEEP, RunStatus.COMPLETE, Verdict.Grade.VALID, day.minusSeconds(180_000)),
                        List.of()));
        library.addDamaged("2026-11-17_broken");
        samples.add(
                Experiments
                        .record(samples.folder().resolve("s"),
                                Experiments.manifest("2026-10-01_120000_h200", DesignedSpecs.repeated("schedulers", 3),
                                        RunStatus.COMPLETE, Verdict.Grade.VALID, day.minusSeconds(4_000_000)),
                                List.of()));
    }
}
