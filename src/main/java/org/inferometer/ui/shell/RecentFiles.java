package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javafx.collections.FXCollections;
import javafx.collections.ListChangeListener;
import javafx.collections.ObservableList;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuBar;
import javafx.scene.control.MenuItem;
import javafx.scene.control.SeparatorMenuItem;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.LatestWork;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.ui.shell.CommandPalette.PaletteEntry;

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

    /// The menu *Open recent*, and its entries of the command palette.
    static final class RecentMenu extends Menu {
        private final RecentFiles recent;
        private final Consumer<Path> open;

        /// @param open opens a file
        RecentMenu(RecentFiles recent, Consumer<Path> open) {
            super(text("menu.open-recent"));
            this.recent = recent;
            this.open = open;
            setId("menu-open-recent");
            recent.files().addListener((ListChangeListener<RecentFiles.RecentFile>) change -> fill());
            fill();
        }

        /// Puts it below an item of a menu bar.
        ///
        /// @param id of the item
        void addBelow(MenuBar bar, String id) {
            for (Menu menu : bar.getMenus()) {
                for (int i = 0; i < menu.getItems().size(); i++) {
                    if (id.equals(menu.getItems().get(i).getId())) {
                        menu.getItems().add(i + 1, this);
                        menu.addEventHandler(Menu.ON_SHOWING, event -> recent.check());
                        return;
                    }
                }
            }
        }

        private void fill() {
            List<MenuItem> items = new ArrayList<>();
            for (RecentFiles.RecentFile file : recent.files()) {
                MenuItem item = Buttons.item("recent-file",
                        file.there() ? file.label() : text("menu.open-recent-missing", file.label()),
                        () -> open.accept(file.path()));
                item.setDisable(!file.there());
                items.add(item);
            }
            if (!items.isEmpty()) {
                items.add(new SeparatorMenuItem());
            }
            items.add(Buttons.item("menu-open-recent-clear", text("menu.open-recent-clear"), recent::clear));
            getItems().setAll(items);
            setDisable(recent.files().isEmpty());
        }

        /// The files as entries of the palette.
        List<PaletteEntry> entries() {
            return recent.files().stream()
                    .map(file -> new PaletteEntry("recent-" + file.path(), String.valueOf(file.path().getFileName()),
                            text("menu.open-recent"), String.valueOf(file.path().getParent()),
                            file.there() ? "" : text("unavailable.missing"), () -> open.accept(file.path())))
                    .toList();
        }
    }
}
