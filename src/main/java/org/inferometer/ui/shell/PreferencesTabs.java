package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import java.util.List;
import javafx.scene.control.Tab;
import javafx.scene.control.TabPane;
import javafx.scene.control.TextField;
import javafx.scene.input.KeyCombination;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.VBox;
import org.inferometer.ui.bench.LiveViewModel;
import org.inferometer.ui.fx.Action;
import org.inferometer.ui.fx.SearchFields;

/// All preferences, with a field that finds one in every tab.
final class PreferencesTabs extends VBox {
    private static final KeyCombination FIND = KeyCombination.valueOf("Shortcut+F");
    /// Actions that change preferences, which act here, too.
    private static final List<String> ALSO_HERE =
            List.of("menu-live-mode", "menu-theme", "menu-text-larger", "menu-text-smaller", "menu-text-usual");
    private final PreferencesPane general;
    private final KeysPane keysPane;
    private final Tab generalTab;
    private final Tab keysTab;
    private final TabPane tabs = new TabPane();

    PreferencesTabs(Preferences preferences, LiveViewModel live, KeyBindings keys) {
        super(10);
        setId("preferences-all");
        general = new PreferencesPane(preferences, live);
        keysPane = new KeysPane(keys);
        generalTab = new Tab(text("preferences.general"), general);
        keysTab = new Tab(text("preferences.keys"), keysPane);
        tabs.getTabs().addAll(generalTab, keysTab);
        tabs.setId("preferences-tabs");
        tabs.setTabClosingPolicy(TabPane.TabClosingPolicy.UNAVAILABLE);
        TextField find = SearchFields.of("preferences-find", text("preferences.find"));
        find.textProperty().subscribe(this::find);
        getChildren().addAll(find, tabs);
        addEventHandler(KeyEvent.KEY_PRESSED, event -> {
            if (FIND.match(event)) {
                find.requestFocus();
                find.selectAll();
                event.consume();
                return;
            }
            keys.actions().stream().filter(action -> ALSO_HERE.contains(action.id()))
                    .filter(action -> !action.hasLetter() && !action.key().getValue().isEmpty() && action.available())
                    .filter(action -> KeyCombination.valueOf(action.key().getValue()).match(event)).findFirst()
                    .map(Action::onAction).ifPresent(onAction -> {
                        onAction.run();
                        event.consume();
                    });
        });
    }

    /// Shows what matches; the other tab if it alone has something.
    private void find(String wanted) {
        int found = general.find(wanted);
        int keys = keysPane.find(wanted);
        boolean all = wanted.isBlank();
        generalTab.setText(
                all ? text("preferences.general") : text("preferences.found", text("preferences.general"), found));
        keysTab.setText(all ? text("preferences.keys") : text("preferences.found", text("preferences.keys"), keys));
        if (found == 0 && keys > 0) {
            tabs.getSelectionModel().select(keysTab);
        } else if (keys == 0 && found > 0) {
            tabs.getSelectionModel().select(generalTab);
        }
    }
}
