package org.inferometer.ui.shell;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.LatestWork;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.fx.WindowWork;

/// The results and bundles that were opened last, the latest first, kept in the settings. Belongs to the UI thread.
final class RecentFiles {
    static final int MOST = 10;
    private static final String KEY = "recent-files";
    private final Settings settings;
    private final LatestWork work;
    private final ObservableList<RecentFile> files = FXCollections.observableArrayList();

    /// @param there whether it existed when the list was last checked
    record RecentFile(Path path, boolean there) {
        /// "quick.inferometer · /home/me/bundles".
        String label() {
            return path.getParent() == null ? path.toString() : path.getFileName() + " · " + path.getParent();
        }
    }

    RecentFiles(Settings settings, BackgroundWork work) {
        this.settings = settings;
        this.work = new LatestWork(work);
        files.setAll(settings.get(KEY).map(RecentFiles::parsed).orElse(List.of()));
    }

    private static List<RecentFile> parsed(String kept) {
        return kept.lines().limit(MOST).flatMap(line -> path(line).stream()).map(path -> new RecentFile(path, true))
                .toList();
    }

    private static Optional<Path> path(String line) {
        try {
            return Optional.of(Path.of(line)).filter(Path::isAbsolute);
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    /// The files, the latest first.
    ObservableList<RecentFile> files() {
        return files;
    }

    /// A file or the folder of a result was opened or saved.
    void add(Path opened) {
        Path path = opened.toAbsolutePath().normalize();
        List<RecentFile> all = new ArrayList<>(files);
        all.removeIf(each -> each.path.equals(path));
        all.addFirst(new RecentFile(path, true));
        keep(all.subList(0, Math.min(MOST, all.size())));
    }

    /// Forgets all.
    void clear() {
        work.cancel();
        keep(List.of());
    }

    private void keep(List<RecentFile> all) {
        files.setAll(all);
        settings.put(KEY, String.join("\n", all.stream().map(each -> each.path.toString()).toList()));
    }

    /// Looks in the background which of them are still there.
    void check() {
        List<RecentFile> asked = List.copyOf(files);
        work.run(WindowWork.OWN,
                () -> asked.stream().map(each -> new RecentFile(each.path, Files.exists(each.path))).toList(),
                checked -> {
                    if (!checked.equals(files) && asked.equals(files)) {
                        files.setAll(checked);
                    }
                }, failure -> {});
    }
}
