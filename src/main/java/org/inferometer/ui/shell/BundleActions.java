package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javafx.application.Platform;
import javafx.beans.value.ChangeListener;
import javafx.beans.value.ObservableValue;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.results.bundle.BundleReader;
import org.inferometer.results.bundle.BundleWriter;
import org.inferometer.ui.fx.FileDialogs;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.results.ComparisonViewModel;
import org.inferometer.ui.results.ImportViewModel;
import org.inferometer.ui.results.OpenedExperiment;
import org.inferometer.ui.results.ResultBundles;
import org.inferometer.ui.results.ResultBundles.Shown;
import org.inferometer.ui.results.ResultsViewModel;
import org.inferometer.ui.timeline.RunChoice;
import org.inferometer.ui.timeline.TimeWindow;
import org.inferometer.ui.timeline.TimelineViewModel;
import org.jspecify.annotations.Nullable;

/// Saves what the window shows as a bundle, and brings back what a bundle shows. Belongs to the JavaFX thread.
final class BundleActions {
    static final FileDialogs.FileType TYPE = new FileDialogs.FileType(text("file.bundle"), "*" + BundleWriter.ENDING);
    private final ResultBundles bundles;
    private final ImportViewModel imports;
    private final ResultsViewModel results;
    private final TimelineViewModel timeline;
    private final FileDialogs dialogs;
    private final Notifier notifier;
    private Optional<Shown.Span> awaited = Optional.empty();

    BundleActions(DesktopServices services, DesktopWindow.WindowContext context, ResultsViewModel results,
            ComparisonViewModel comparison, TimelineViewModel timeline, Notifier notifier) {
        this.bundles =
                new ResultBundles(services.results(), results, comparison, context.work(), notifier, services.clock());
        this.imports = new ImportViewModel(results, services.results().folder(), context.work(), services.clock(),
                notifier, this::show);
        this.results = results;
        this.timeline = timeline;
        this.dialogs = context.dialogs();
        this.notifier = notifier;
        results.opened().addListener((observed, before, now) -> bringBack(now));
    }

    /// Imports bundles and files of other tools.
    ImportViewModel imports() {
        return imports;
    }

    /// What a bundle would hold: the open comparison or result, and the range of its timeline.
    Shown shown() {
        return bundles.shown(span());
    }

    private Optional<Shown.Span> span() {
        OpenedExperiment opened = results.opened().get();
        RunChoice chosen = timeline.run().get();
        if (opened == null || chosen == null || timeline.sheet().get() == null || !timeline.shows(opened.record())) {
            return Optional.empty();
        }
        TimeWindow window = timeline.visible().window().get();
        return Optional.of(new Shown.Span(opened.record().folder(), opened.record().runs().indexOf(chosen.run()),
                window.from(), window.to()));
    }

    /// Asks for a file and saves a share-safe bundle without notes.
    void save() {
        save(ResultBundles.Wish.USUAL);
    }

    /// Asks for a file and saves a bundle.
    void save(ResultBundles.Wish wish) {
        Shown shown = shown();
        if (shown.folders().isEmpty()) {
            notifier.problem(text("notice.nothing-open"));
            return;
        }
        String name =
                shown.folders().size() == 1 ? String.valueOf(shown.folders().getFirst().getFileName()) : "comparison";
        dialogs.save(text("bundle.save-title"), name + BundleWriter.ENDING, List.of(TYPE))
                .ifPresent(file -> bundles.save(shown, wish, file));
    }

    /// Shows an unpacked bundle as it was saved.
    private void show(BundleReader.Unpacked bundle) {
        awaited = bundles.show(bundle);
    }

    private void bringBack(@Nullable OpenedExperiment opened) {
        Optional<Shown.Span> span = awaited;
        if (opened == null || span.isEmpty()) {
            return;
        }
        awaited = Optional.empty();
        if (same(opened.record(), span.get().result())) {
            timeline.sheet().addListener(new ChangeListener<Object>() {
                @Override
                public void changed(ObservableValue<?> sheet, @Nullable Object before, @Nullable Object now) {
                    if (now != null) {
                        timeline.sheet().removeListener(this);
                        // The view model sets its own window after the sheet.
                        Platform.runLater(() -> timeline.visible()
                                .look(new TimeWindow(span.get().fromNanos(), span.get().toNanos())));
                    }
                }
            });
            timeline.open(opened.record(), span.get().run());
        }
    }

    private static boolean same(ExperimentRecord record, Path folder) {
        return record.folder().toAbsolutePath().normalize().equals(folder.toAbsolutePath().normalize());
    }
}
