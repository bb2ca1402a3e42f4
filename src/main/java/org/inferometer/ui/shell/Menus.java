package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import java.util.List;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuBar;
import javafx.scene.control.MenuItem;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.input.KeyCombination;
import org.inferometer.ui.fx.Action;

/// The menu bar: every action with its key.
final class Menus {
    private Menus() {}

    /// @param actions in the order of the menus
    /// @param last ids of the actions that end a part of their menu
    static MenuBar create(List<Action> actions, List<String> last) {
        MenuBar bar = new MenuBar();
        for (Action.Group group : Action.Group.values()) {
            Menu menu = new Menu(text(group.key()));
            List<Action> shown = actions.stream().filter(action -> action.group() == group).toList();
            for (Action action : shown) {
                menu.getItems().add(item(action));
                if (last.contains(action.id()) && action != shown.getLast()) {
                    menu.getItems().add(new SeparatorMenuItem());
                }
            }
            bar.getMenus().add(menu);
        }
        bar.setId("menu-bar");
        return bar;
    }

    private static MenuItem item(Action action) {
        MenuItem item = new MenuItem(action.label());
        item.setId(action.id());
        if (action.key() != null) {
            item.setAccelerator(KeyCombination.valueOf(action.key()));
        }
        item.disableProperty().bind(action.unavailable().map(reason -> !reason.isEmpty()));
        item.setOnAction(event -> action.deed().run());
        return item;
    }
}
