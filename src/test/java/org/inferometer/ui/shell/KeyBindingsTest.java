package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import org.inferometer.ui.fx.Action;
import org.inferometer.ui.fx.Action.Group;
import org.inferometer.ui.fx.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyBindingsTest {
    @TempDir
    Path folder;

    private List<Action> actions(KeyBindings keys) {
        return keys.over(List.of(Action.of(Group.FILE, "menu.open", "Shortcut+O", () -> {}),
                Action.of(Group.RUN, "menu.marker", "M", () -> {}),
                Action.of(Group.HELP, "menu.about", null, () -> {})));
    }

    private Settings settings() {
        return new Settings(folder.resolve("settings.properties"));
    }

    private static List<String> bound(List<Action> actions) {
        return actions.stream().map(action -> action.key().getValue()).toList();
    }

    @Test
    void chosenKeysAreKeptAndTakenOnesRefused() throws IOException {
        Settings settings = settings();
        KeyBindings keys = new KeyBindings(settings);
        List<Action> actions = actions(keys);

        assertThat(keys.bind(actions.get(2), "Shortcut+O")).contains(actions.get(0));
        assertThat(keys.bind(actions.get(2), "F9")).isEmpty();
        assertThat(keys.bind(actions.get(1), "")).isEmpty();
        assertThat(bound(actions)).containsExactly("Shortcut+O", "", "F9");
        assertThat(actions.stream().map(keys::isChanged)).containsExactly(false, true, true);

        settings.save();
        KeyBindings again = new KeyBindings(settings());
        assertThat(bound(actions(again))).containsExactly("Shortcut+O", "", "F9");
    }

    @Test
    void ownKeysComeBack() {
        KeyBindings keys = new KeyBindings(settings());
        List<Action> actions = actions(keys);
        keys.bind(actions.get(0), "");
        keys.bind(actions.get(2), "Shortcut+O");

        assertThat(keys.reset(actions.get(0))).contains(actions.get(2));
        keys.resetAll();
        assertThat(bound(actions)).containsExactly("Shortcut+O", "M", "");
    }

    @Test
    void aKeyThatIsNoneInTheSettingsIsNotUsed() {
        Settings settings = settings();
        settings.put("key.menu-open", "Nonsense+%");

        assertThat(bound(actions(new KeyBindings(settings)))).containsExactly("Shortcut+O", "M", "");
    }

    @Test
    void keysNeedAModifierUnlessTheyAreLettersOrFunctionKeys() {
        assertThat(List.of(pressed(KeyCode.K, true, true), pressed(KeyCode.M, false, false),
                pressed(KeyCode.F7, false, true), pressed(KeyCode.COMMA, true, false)))
                .containsExactly(Optional.of("Shortcut+Shift+K"), Optional.of("M"), Optional.of("Shift+F7"),
                        Optional.of("Shortcut+Comma"));
        assertThat(List.of(pressed(KeyCode.COMMA, false, false), pressed(KeyCode.M, false, true),
                pressed(KeyCode.CONTROL, true, false), pressed(KeyCode.ESCAPE, false, false)))
                .containsOnly(Optional.empty());
    }

    private static Optional<String> pressed(KeyCode code, boolean control, boolean shift) {
        return KeyBindings.key(new KeyEvent(KeyEvent.KEY_PRESSED, "", "", code, shift, control, false, false));
    }
}
