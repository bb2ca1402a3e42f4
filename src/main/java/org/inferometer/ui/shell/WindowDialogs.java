package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import java.util.List;
import javafx.scene.Node;
import javafx.scene.control.Tab;
import javafx.scene.control.TabPane;
import org.inferometer.ui.bench.LiveViewModel;
import org.inferometer.ui.fx.Action;
import org.inferometer.ui.theme.Appearance;

/// The dialogs of the window that belong to no view.
///
/// @param over a node of the window
/// @param version of the program
record WindowDialogs(Node over, String version, Appearance appearance, Preferences preferences, LiveViewModel live) {
    void showPreferences(KeyBindings keys) {
        TabPane tabs = new TabPane(new Tab(text("preferences.general"), new PreferencesPane(preferences, live)),
                new Tab(text("preferences.keys"), new KeysPane(keys)));
        tabs.setId("preferences-tabs");
        tabs.setTabClosingPolicy(TabPane.TabClosingPolicy.UNAVAILABLE);
        InfoDialog.show(text("preferences.title"), "", tabs, over, appearance);
    }

    /// @param actions whose keys are listed
    void showKeys(List<Action> actions) {
        InfoDialog.show(text("shortcuts.title"), "",
                ShortcutSheet.createView(ShortcutSheet.lines(actions) + text("shortcuts.body")), over, appearance);
    }

    void showAbout() {
        InfoDialog.show(text("about.title"), text("about.body", version), null, over, appearance);
    }
}
