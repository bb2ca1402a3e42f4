package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import java.util.List;
import javafx.scene.Node;
import org.inferometer.ui.bench.LiveViewModel;
import org.inferometer.ui.fx.Action;
import org.inferometer.ui.theme.Appearance;
import org.inferometer.ui.theme.TextSize;

/// The dialogs of the window that belong to no view.
///
/// @param over a node of the window
/// @param version of the program
record WindowDialogs(Node over, String version, Appearance appearance, Preferences preferences, LiveViewModel live) {
    /// @param actions of the window
    void showPreferences(List<Action> actions) {
        InfoDialog.show(text("preferences.title"), "", new PreferencesPane(preferences, live, actions), over,
                appearance);
    }

    /// @param actions whose keys are listed
    void showKeys(List<Action> actions) {
        InfoDialog.show(text("shortcuts.title"), "",
                ShortcutSheet.createView(ShortcutSheet.lines(actions) + text("shortcuts.body")), over, appearance);
    }

    /// How it is measured.
    void showMethod() {
        InfoDialog.show(text("method.title"), "", new MethodNotes(appearance.textSize().map(TextSize::scale)), over,
                appearance);
    }

    void showAbout() {
        InfoDialog.show(text("about.title"), text("about.body", version), null, over, appearance);
    }
}
