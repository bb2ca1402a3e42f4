package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import javafx.scene.Node;
import javafx.scene.Scene;
import javafx.scene.control.ComboBoxBase;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuBar;
import javafx.scene.control.MenuItem;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.control.Spinner;
import javafx.scene.control.TextInputControl;
import javafx.scene.input.KeyCombination;
import javafx.scene.input.KeyEvent;
import org.inferometer.ui.fx.Action;
import org.jspecify.annotations.Nullable;

/// The menu bar: every action with its key.
final class Menus {
    private Menus() {}

    /// Actions of a menu that stand in a menu of their own within it, where the first of them would stand.
    ///
    /// @param key of its label among the messages
    /// @param ids of its actions
    record Submenu(String key, List<String> ids) {}

    /// The same with submenus.
    static MenuBar create(List<Action> actions, List<String> last, List<Submenu> submenus) {
        MenuBar bar = new MenuBar();
        for (Action.Group group : Action.Group.values()) {
            Menu menu = new Menu(text(group.key()));
            Map<Submenu, Menu> within = new HashMap<>();
            List<Action> shown = actions.stream().filter(action -> action.group() == group).toList();
            for (Action action : shown) {
                Menu holder = submenus.stream().filter(each -> each.ids().contains(action.id())).findFirst()
                        .map(each -> within.computeIfAbsent(each, made -> added(menu, made))).orElse(menu);
                holder.getItems().add(item(action));
                if (last.contains(action.id()) && action != shown.getLast()) {
                    menu.getItems().add(new SeparatorMenuItem());
                }
            }
            bar.getMenus().add(menu);
        }
        bar.setId("menu-bar");
        bar.sceneProperty().subscribe(scene -> Optional.ofNullable(scene).ifPresent(into -> letters(into, actions)));
        return bar;
    }

    private static Menu added(Menu around, Submenu submenu) {
        Menu menu = new Menu(text(submenu.key()));
        menu.setId(submenu.key().replace('.', '-'));
        around.getItems().add(menu);
        return menu;
    }

    /// Keys without a modifier act only while no text field has the focus. A field that the action opens does not get the letter.
    private static void letters(Scene scene, List<Action> actions) {
        AtomicBoolean used = new AtomicBoolean();
        scene.addEventFilter(KeyEvent.KEY_PRESSED, event -> used.set(false));
        scene.addEventFilter(KeyEvent.KEY_TYPED, event -> {
            if (used.getAndSet(false)) {
                event.consume();
            }
        });
        scene.addEventHandler(KeyEvent.KEY_PRESSED,
                event -> actions.stream()
                        .filter(action -> action.hasLetter() && !isEdited(scene.getFocusOwner())
                                && KeyCombination.valueOf(action.key()).match(event))
                        .filter(Action::available).findFirst().ifPresent(action -> {
                            used.set(true);
                            action.onAction().run();
                            event.consume();
                        }));
    }

    /// Whether letters are text here.
    private static boolean isEdited(@Nullable Node focused) {
        return focused instanceof TextInputControl || focused instanceof Spinner<?>
                || (focused instanceof ComboBoxBase<?> box && box.isEditable());
    }

    private static MenuItem item(Action action) {
        MenuItem item = new MenuItem(action.label());
        item.setId(action.id());
        if (action.hasLetter()) {
            item.setText(action.label() + " (" + action.key() + ")");
        } else if (!action.key().isEmpty()) {
            item.setAccelerator(KeyCombination.valueOf(action.key()));
        }
        item.disableProperty().bind(action.unavailable().map(reason -> !reason.isEmpty()));
        item.setOnAction(event -> action.onAction().run());
        return item;
    }
}
