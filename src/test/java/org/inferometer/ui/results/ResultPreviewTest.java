package org.inferometer.ui.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import javafx.beans.property.SimpleObjectProperty;
import javafx.scene.Scene;
import javafx.scene.layout.Region;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.chart.ChartTools;
import org.inferometer.ui.chart.ChartWindowTwin;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.fx.UiThread.JavaFxThread;
import org.inferometer.ui.fx.UndoStack;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.FileDialogsTwin;
import org.inferometer.ui.twin.LibraryTwin;
import org.inferometer.ui.twin.NoNavigation;
import org.inferometer.ui.twin.PlainComposer;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

/// A result that takes long to read shows the figures of its summary meanwhile.
class ResultPreviewTest {
    @TempDir
    Path folder;

    private final Deque<Runnable> background = new ArrayDeque<>();
    private ResultsViewModel results;
    private Region view;

    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    private static <T> T onFx(Callable<T> action) throws Exception {
        return WaitForAsyncUtils.asyncFx(action).get(20, TimeUnit.SECONDS);
    }

    private Void show() {
        LibraryTwin own = new LibraryTwin(folder.resolve("results"));
        own.add(Experiments.record(own.folder().resolve("a"), Experiments.manifest("a", Experiments.QUICK,
                RunStatus.COMPLETE, Verdict.Grade.VALID, Instant.parse("2026-11-20T09:15:00Z")), List.of()));
        BackgroundWork work = new BackgroundWork(background::add, new JavaFxThread());
        Notifier silent = new Notifier() {
            @Override
            public void done(String sentence) {}

            @Override
            public void problem(String sentence) {}
        };
        ChartTools tools = new ChartTools(new PlainComposer(), (sheet, picture) -> new byte[0],
                new SimpleObjectProperty<>(Shade.LIGHT), new FileDialogsTwin(folder), work, silent,
                ChartWindowTwin.none(), "", "");
        results = new ResultsViewModel(own.tools(), work);
        view = (Region) new ResultsView(results,
                new ImportViewModel(results, own.folder(), work, new SystemClock(), silent, bundle -> {}),
                new ComparisonViewModel(own.tools(), work, each -> true), new ReportSaver(tools, own.tools().reports()),
                new NoNavigation(), new Settings(Path.of("no-such-folder", "settings")),
                new ResultActions(results, silent, new UndoStack(), new SystemClock(), pane -> {}),
                new PinnedResults(new UndoStack())).createView();
        new Scene(view, 1100, 700);
        results.refresh();
        background.removeFirst().run();
        return null;
    }

    private boolean shows(String id) throws Exception {
        return onFx(() -> {
            view.applyCss();
            view.layout();
            return view.lookup(id) != null;
        });
    }

    @Test
    void summaryIsShownUntilTheRequestsAreRead() throws Exception {
        onFx(this::show);
        onFx(() -> {
            results.open(results.rows().getFirst());
            return null;
        });
        assertThat(shows("#result-preview")).isFalse();
        WaitForAsyncUtils.waitFor(20, TimeUnit.SECONDS, () -> shows("#result-preview"));
        onFx(() -> {
            background.removeFirst().run();
            return null;
        });
        assertThat(shows("#result-preview")).isFalse();
        assertThat(shows("#result-detail")).isTrue();
        onFx(() -> {
            results.close();
            results.open(results.rows().getFirst());
            return null;
        });
        WaitForAsyncUtils.waitFor(20, TimeUnit.SECONDS, () -> shows("#result-preview"));
        onFx(() -> {
            results.close();
            return null;
        });
        assertThat(shows("#result-preview")).isFalse();
        assertThat(shows("#result-detail")).isFalse();
    }
}
