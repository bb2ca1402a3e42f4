package org.inferometer.ui.shell;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyCombination;
import javafx.scene.input.KeyEvent;
import org.inferometer.ui.fx.Action;
import org.inferometer.ui.fx.Settings;

/// The keys of the actions: their own, or those that the user chose. Belongs to the JavaFX thread.
final class KeyBindings {
    private static final String SETTING = "key.";
    private static final Pattern FUNCTION_KEY = Pattern.compile("F\\d{1,2}");

    private final Settings settings;
    private final Map<String, Action> actions = new LinkedHashMap<>();
    private final Map<String, StringProperty> keys = new LinkedHashMap<>();
    private final Map<String, String> standard = new LinkedHashMap<>();

    KeyBindings(Settings settings) {
        this.settings = settings;
    }

    /// The actions with their bound keys, which follow later changes. Called once. A key that the settings give twice stays with the first.
    List<Action> over(List<Action> all) {
        List<Action> bound = all.stream().map(this::bound).toList();
        Set<String> taken = new HashSet<>();
        keys.forEach((id, key) -> {
            if (!key.get().isEmpty() && !taken.add(key.get())) {
                String own = standard.getOrDefault(id, "");
                key.set(taken.add(own) ? own : "");
            }
        });
        return bound;
    }

    private Action bound(Action action) {
        String own = action.key().getValue();
        StringProperty key =
                new SimpleStringProperty(settings.get(SETTING + action.id()).filter(KeyBindings::isKey).orElse(own));
        Action bound = action.withKey(key);
        actions.put(action.id(), bound);
        keys.put(action.id(), key);
        standard.put(action.id(), own);
        return bound;
    }

    /// Settings are a file: it may hold anything.
    private static boolean isKey(String text) {
        try {
            return text.isEmpty() || KeyCombination.valueOf(text) != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /// All actions, in the order of the menus.
    List<Action> actions() {
        return List.copyOf(actions.values());
    }

    /// Gives an action a key, unless another one has it.
    ///
    /// @param key empty for none
    /// @return the action that has the key already
    Optional<Action> bind(Action action, String key) {
        Optional<Action> other = key.isEmpty() ? Optional.empty()
                : actions.values().stream().filter(each -> !each.id().equals(action.id()))
                        .filter(each -> each.key().getValue().equals(key)).findFirst();
        if (other.isEmpty()) {
            of(action).set(key);
            settings.put(SETTING + action.id(), key);
        }
        return other;
    }

    /// Whether the user chose its key.
    boolean isChanged(Action action) {
        return !of(action).get().equals(standard.get(action.id()));
    }

    /// Gives an action its own key back, unless another one has it.
    ///
    /// @return the action that has the key
    Optional<Action> reset(Action action) {
        return bind(action, String.valueOf(standard.get(action.id())));
    }

    /// Gives all actions their own keys.
    void resetAll() {
        keys.forEach((id, key) -> {
            key.set(standard.get(id));
            settings.put(SETTING + id, key.get());
        });
    }

    private StringProperty of(Action action) {
        return Objects.requireNonNull(keys.get(action.id()));
    }

    /// The key of an event as JavaFX writes it: "Shortcut+Shift+K"; empty if it cannot be a key of an action, which needs a modifier
    /// unless it is a letter or a function key.
    static Optional<String> key(KeyEvent event) {
        KeyCode code = event.getCode();
        if (code.isModifierKey() || code == KeyCode.UNDEFINED || code == KeyCode.ESCAPE || code == KeyCode.TAB) {
            return Optional.empty();
        }
        boolean modified = event.isShortcutDown() || event.isAltDown();
        boolean alone = (code.isLetterKey() && !event.isShiftDown()) || FUNCTION_KEY.matcher(code.getName()).matches();
        return modified || alone ? Optional.of((event.isShortcutDown() ? "Shortcut+" : "")
                + (event.isAltDown() ? "Alt+" : "") + (event.isShiftDown() ? "Shift+" : "") + code.getName())
                : Optional.empty();
    }
}
