package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.inferometer.results.bundle.BundleReader;
import org.inferometer.results.bundle.BundleWriter;
import org.inferometer.ui.fx.FileDialogs;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.results.ResultBundles;
import org.inferometer.ui.results.ShownResults;

/// Saves what the window shows as a bundle, and brings back what a bundle shows. Belongs to the JavaFX thread.
final class BundleActions {
    static final FileDialogs.FileType TYPE = new FileDialogs.FileType(text("file.bundle"), "*" + BundleWriter.ENDING);
    private final ResultBundles bundles;
    private final ShownState shown;
    private final FileDialogs dialogs;
    private final Notifier notifier;
    private final Consumer<Path> saved;

    /// @param saved receives the files that were written
    BundleActions(DesktopServices services, DesktopWindow.WindowContext context, ShownState shown, Notifier notifier,
            Consumer<Path> saved) {
        this.bundles = new ResultBundles(services.results(), context.work(), notifier, services.clock());
        this.shown = shown;
        this.dialogs = context.dialogs();
        this.notifier = notifier;
        this.saved = saved;
    }

    /// Asks for a file and saves a share-safe bundle without notes.
    void save() {
        save(ResultBundles.Wish.USUAL);
    }

    /// Asks for a file and saves a bundle.
    void save(ResultBundles.Wish wish) {
        ShownResults held = shown.now().inOneFile();
        if (held.folders().isEmpty()) {
            notifier.problem(text("notice.nothing-open"));
            return;
        }
        String name =
                held.folders().size() == 1 ? String.valueOf(held.folders().getFirst().getFileName()) : "comparison";
        dialogs.save(text("bundle.save-title"), name + BundleWriter.ENDING, List.of(TYPE))
                .ifPresent(file -> bundles.save(held, wish, file, () -> saved.accept(file)));
    }

    /// Shows an unpacked bundle as it was saved.
    void show(BundleReader.Unpacked bundle) {
        shown.show(bundles.shown(bundle));
    }
}
