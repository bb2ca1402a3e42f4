package org.inferometer.ui.results;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.javafx.tk.TKClipboard;
import java.io.File;
import java.lang.reflect.Constructor;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javafx.beans.property.SimpleObjectProperty;
import javafx.css.PseudoClass;
import javafx.event.Event;
import javafx.event.EventType;
import javafx.scene.Node;
import javafx.scene.Scene;
import javafx.scene.input.DataFormat;
import javafx.scene.input.DragEvent;
import javafx.scene.input.Dragboard;
import javafx.scene.input.TransferMode;
import javafx.scene.layout.Region;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.chart.ChartTools;
import org.inferometer.ui.chart.ChartWindowTwin;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.fx.UndoStack;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.FileDialogsTwin;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.LibraryTwin;
import org.inferometer.ui.twin.NoNavigation;
import org.inferometer.ui.twin.PlainComposer;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

/// Files that come from outside by drag and drop, with the events that the window system would send.
class ResultsDropTest {
    private static final PseudoClass RECEIVES = PseudoClass.getPseudoClass("receives");

    @TempDir
    Path folder;

    private ResultsViewModel results;
    private Region view;

    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    private interface Action {
        void run() throws Exception;
    }

    private static void onFx(Action action) throws Exception {
        WaitForAsyncUtils.asyncFx(() -> {
            action.run();
            return true;
        }).get(20, TimeUnit.SECONDS);
    }

    private void open() {
        LibraryTwin own = new LibraryTwin(folder.resolve("results"));
        BackgroundWork work = new InlineUi().work();
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
        view.applyCss();
        view.layout();
    }

    /// The board that carries files, or none.
    private static Dragboard board(List<File> files) throws ReflectiveOperationException {
        TKClipboard carried = (TKClipboard) Proxy.newProxyInstance(TKClipboard.class.getClassLoader(),
                new Class<?>[]{TKClipboard.class}, (proxy, method, values) -> switch (method.getName()) {
                    case "hasContent" -> !files.isEmpty() && values[0].equals(DataFormat.FILES);
                    case "getContent" -> values[0].equals(DataFormat.FILES) ? files : null;
                    case "getTransferModes" -> EnumSet.of(TransferMode.COPY);
                    default -> null;
                });
        Constructor<Dragboard> made = Dragboard.class.getDeclaredConstructor(TKClipboard.class);
        made.setAccessible(true);
        return made.newInstance(carried);
    }

    private DragEvent fire(EventType<DragEvent> type, Path... files) throws ReflectiveOperationException {
        Dragboard board = board(List.of(files).stream().map(Path::toFile).toList());
        DragEvent[] seen = new DragEvent[1];
        DragEvent event = new DragEvent(type, board, 100, 300, 100, 300, TransferMode.COPY, null, null, null);
        view.addEventHandler(type, heard -> seen[0] = heard);
        Event.fireEvent(view, event);
        return seen[0];
    }

    private Node list() {
        return view.lookup(".results-list");
    }

    @Test
    void filesThatAreDroppedBecomeResultsAndAWrongOneIsNamed() throws Exception {
        List<Path> exported = ResultExport.write(Experiments.virtual(folder), "vllm", folder.resolve("out")).files();
        Path wrong = Files.writeString(folder.resolve("photo.jpg"), "no results");
        onFx(() -> {
            open();
            fire(DragEvent.DRAG_ENTERED, exported.getFirst());
            assertThat(list().getPseudoClassStates()).contains(RECEIVES);
            assertThat(fire(DragEvent.DRAG_OVER, exported.getFirst()).getAcceptedTransferMode())
                    .isEqualTo(TransferMode.COPY);
            fire(DragEvent.DRAG_EXITED, exported.getFirst());
            assertThat(list().getPseudoClassStates()).doesNotContain(RECEIVES);
            assertThat(fire(DragEvent.DRAG_DROPPED, exported.get(0), wrong, exported.get(1)).isDropCompleted())
                    .isTrue();
            assertThat(results.rows()).hasSize(2);
            assertThat(results.problem().get()).startsWith(wrong + ": ").hasLineCount(1);
            assertThat(results.opened().get()).isNotNull();
        });
    }

    @Test
    void aFolderIsDroppedWhileAResultIsOpenAndWordsAreNot() throws Exception {
        Path exports = ResultExport.write(Experiments.virtual(folder), "guidellm", folder.resolve("out")).files()
                .getFirst().getParent();
        onFx(() -> {
            open();
            fire(DragEvent.DRAG_DROPPED, exports);
            int rows = results.rows().size();
            assertThat(rows).isGreaterThan(1);
            assertThat(view.lookup("#result-detail")).isNotNull();
            assertThat(fire(DragEvent.DRAG_OVER).getAcceptedTransferMode()).isNull();
            assertThat(fire(DragEvent.DRAG_DROPPED).isDropCompleted()).isFalse();
            assertThat(results.rows()).hasSize(rows);
        });
    }
}
