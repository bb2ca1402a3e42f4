package org.inferometer.ui.goals;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javafx.stage.Stage;
import org.inferometer.results.ResultFiles;
import org.inferometer.ui.shell.Desktop;
import org.inferometer.ui.shell.DesktopServices;
import org.inferometer.ui.twin.DesktopTwin;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.FileDialogsTwin;
import org.inferometer.ui.twin.LibraryTwin;
import org.inferometer.ui.twin.ScreenshotComposer;
import org.inferometer.ui.twin.ScriptedBenchmark;
import org.inferometer.units.LongForm;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.api.FxToolkit;

/// Checks of the window over a small result; those that collect garbage are left to `WindowGoals`.
class WindowMeasurementTest {
    private static final int REQUESTS = 100;

    @TempDir
    Path folder;

    private final FxProbe probe = new FxProbe(new SystemClock());
    private final List<WindowFigure> samples = new ArrayList<>();
    private Desktop desktop;
    private MeasuredWindow window;

    @BeforeEach
    void open() throws Exception {
        Stage stage = FxToolkit.registerPrimaryStage();
        LibraryTwin library = new LibraryTwin(folder.resolve("results"));
        try (ResultFiles files = new ResultFiles()) {
            new GeneratedExperiment(files, Experiments.MACHINE, new SystemClock()).write(library.folder(), REQUESTS,
                    REQUESTS / 2);
        }
        DesktopServices twins = DesktopTwin.services(new ScriptedBenchmark(library, 0), library,
                new LibraryTwin(folder.resolve("samples")), ScreenshotComposer.best());
        DesktopServices services = new DesktopServices(twins.designer(), twins.results(), twins.machine(),
                twins.devices(), twins.composer(), (sheet, picture) -> new byte[1], twins.settings(), twins.machines(),
                twins.prompts(), twins.clock(), twins.version());
        desktop = probe.call(() -> {
            Desktop made = new Desktop(services, stage, new FileDialogsTwin(folder));
            made.show();
            // The headless platform copies every frame, so a small one is faster.
            stage.setMinWidth(0);
            stage.setMinHeight(0);
            stage.setWidth(640);
            stage.setHeight(480);
            return made;
        });
        window = MeasuredWindow.of(desktop, services, probe);
    }

    @AfterEach
    void close() throws Exception {
        probe.run(desktop::end);
        FxToolkit.cleanupStages();
    }

    private List<String> ids(WindowCheck check, int times, int seconds) throws InterruptedException {
        samples.clear();
        new WindowMeasurement(window, samples::add).measure(check, new WindowCheck.Length(times, seconds, REQUESTS));
        return samples.stream().map(each -> each.id() + " " + each.samples().length).toList();
    }

    @Test
    @LongForm
    void checksReportTheirFigures() throws Exception {
        assertThat(ids(WindowCheck.START, 1, 0)).containsExactly("start 1");
        assertThat(ids(WindowCheck.OPEN, 1, 0)).containsExactly("open_figures 1", "open_charts 1", "open_table 1",
                "open_scroll 8", "open_sort 11", "open_stall 1", "open_sort_stall 11");
        assertThat(ids(WindowCheck.EXPORT, 1, 0)).containsExactly("export_png 8", "export_svg 8", "export_report 1",
                "export_report_size 1", "export_data 1", "export_stall 18");
        assertThat(ids(WindowCheck.PACING, 2, 1)).contains("crosshair 2");
        assertThat(samples.getFirst().samples()).hasSizeGreaterThan(5);
        assertThat(ids(WindowCheck.TIMELINE, 1, 0)).startsWith("timeline_open 1", "timeline_stall 1");
        assertThat(samples.getLast().samples()).hasSizeGreaterThan(40);
        assertThat(samples.getLast().value(WindowFigure.Statistic.MEDIAN)).isBetween(10.0, 20_000.0);
    }
}
