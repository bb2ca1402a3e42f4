package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import javafx.scene.control.Menu;
import javafx.scene.control.MenuBar;
import javafx.scene.control.MenuItem;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.input.KeyCombination;
import org.jspecify.annotations.Nullable;

/// The menu bar: every action with its key.
final class Menus {
    private Menus() {}

    static MenuBar create(DesktopWindow actions) {
        MenuBar bar = new MenuBar(
                new Menu(text("menu.file"), null, item("menu.open", "Shortcut+O", actions::openFile),
                        item("menu.import", "Shortcut+I", actions::importResult),
                        item("menu.save-report", "Shortcut+S", actions::saveReport),
                        item("menu.save-bundle", "Shortcut+Shift+S", actions::saveBundle),
                        item("menu.export-schedulers", null, actions::exportSchedulers), new SeparatorMenuItem(),
                        item("menu.quit", "Shortcut+Q", actions::quit)),
                new Menu(text("menu.edit"), null, item("menu.copy-command", "Shortcut+Shift+C", actions::copyCommand),
                        item("menu.copy-devices", null, actions::copyDevices),
                        item("menu.find", "Shortcut+F", actions::find),
                        item("menu.compare", "Shortcut+M", actions::compare)),
                new Menu(text("menu.view"), null, item("menu.bench", "Shortcut+1", actions::showBench),
                        item("menu.results", "Shortcut+2", actions::showResults),
                        item("menu.timeline", "Shortcut+3", actions::showTimeline),
                        item("menu.devices", "Shortcut+6", actions::showDevices), new SeparatorMenuItem(),
                        item("menu.designer", "Shortcut+D", actions::toggleDesigner),
                        item("menu.live-mode", "Shortcut+L", actions::nextLiveMode),
                        item("menu.timeline-events", "Shortcut+Shift+E", actions::toggleEvents),
                        item("menu.timeline-all", null, actions::showWholeTimeline), new SeparatorMenuItem(),
                        item("menu.refresh", "Shortcut+R", actions::refresh),
                        item("menu.theme", "Shortcut+Shift+T", actions::toggleTheme)),
                new Menu(text("menu.run"), null, item("menu.run-experiment", "F5", actions::run),
                        item("menu.stop", "Shift+F5", actions::stop)),
                new Menu(text("menu.help"), null, item("menu.shortcuts", "F1", actions::shortcuts),
                        item("menu.about", null, actions::about)));
        bar.setId("menu-bar");
        return bar;
    }

    private static MenuItem item(String key, @Nullable String shortcut, Runnable action) {
        MenuItem item = new MenuItem(text(key));
        item.setId(key.replace('.', '-'));
        if (shortcut != null) {
            item.setAccelerator(KeyCombination.valueOf(shortcut));
        }
        item.setOnAction(event -> action.run());
        return item;
    }
}
