package org.inferometer.ui.fx;

import java.util.Locale;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.value.ObservableValue;
import javafx.scene.input.KeyCombination;
import org.jspecify.annotations.Nullable;

/// Something a person can do: an item of a menu and of the command palette.
///
/// @param id names it in settings and in the scene: "menu-open"
/// @param group menu that it stands in
/// @param key as JavaFX writes key combinations: "Shortcut+O"; empty for none
/// @param unavailable why it cannot be done now, in one sentence; empty while it can
/// @param onAction does it, on the UI thread
public record Action(String id, Group group, String label, String key, ObservableValue<String> unavailable,
        Runnable onAction) {
    private static final ObservableValue<String> ALWAYS = new ReadOnlyStringWrapper("").getReadOnlyProperty();

    /// The menus, from left to right.
    public enum Group {
        FILE, EDIT, VIEW, RUN, COMPARE, TOOLS, HELP;

        /// Key of its label among the messages.
        public String key() {
            return "menu." + name().toLowerCase(Locale.ROOT);
        }
    }

    /// An action that can always be done.
    ///
    /// @param key of its label among the messages: "menu.open"
    public static Action of(Group group, String key, @Nullable String shortcut, Runnable onAction) {
        return of(group, key, shortcut, ALWAYS, onAction);
    }

    /// An action that cannot always be done.
    ///
    /// @param key of its label among the messages: "menu.open"
    /// @param unavailable why it cannot be done now; empty while it can
    public static Action of(Group group, String key, @Nullable String shortcut, ObservableValue<String> unavailable,
            Runnable onAction) {
        return new Action(key.replace('.', '-'), group, Messages.text(key), shortcut == null ? "" : shortcut,
                unavailable, onAction);
    }

    /// The key as the platform writes it; empty for none.
    public String keyText() {
        return key.isEmpty() ? "" : KeyCombination.valueOf(key).getDisplayText();
    }

    /// Whether its key has no modifier: it acts only while no text field has the focus.
    public boolean hasLetter() {
        return key.length() == 1;
    }

    /// Whether it can be done now.
    public boolean available() {
        return unavailable.getValue().isEmpty();
    }
}
