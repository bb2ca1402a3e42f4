package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javafx.collections.ListChangeListener;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuBar;
import javafx.scene.control.MenuItem;
import javafx.scene.control.SeparatorMenuItem;

/// The menu *Open recent*, and its entries of the command palette.
final class RecentMenu extends Menu {
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
            MenuItem item = new MenuItem(file.there() ? file.label() : text("menu.open-recent-missing", file.label()));
            item.setMnemonicParsing(false);
            item.setDisable(!file.there());
            item.setOnAction(event -> open.accept(file.path()));
            items.add(item);
        }
        if (!items.isEmpty()) {
            items.add(new SeparatorMenuItem());
        }
        MenuItem clear = new MenuItem(text("menu.open-recent-clear"));
        clear.setId("menu-open-recent-clear");
        clear.setOnAction(event -> recent.clear());
        items.add(clear);
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
