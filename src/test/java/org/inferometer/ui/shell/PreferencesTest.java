package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javafx.event.Event;
import javafx.scene.Scene;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.control.Tab;
import javafx.scene.control.TabPane;
import javafx.scene.control.TextField;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.bench.LiveMode;
import org.inferometer.ui.bench.LiveViewModel;
import org.inferometer.ui.fx.Action;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.theme.Appearance;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class PreferencesTest {
    @TempDir
    private Path folder;

    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    @Test
    @SuppressWarnings("unchecked")
    void liveModeIsAutomaticUntilChosen() throws Exception {
        WaitForAsyncUtils.asyncFx(() -> {
            Settings settings = new Settings(folder.resolve("settings.properties"));
            Preferences preferences = new Preferences(settings, new Appearance(Shade.LIGHT));
            LiveViewModel live = new LiveViewModel();
            preferences.keepLiveMode(live);
            ComboBox<Optional<LiveMode>> mode = (ComboBox<Optional<LiveMode>>) new PreferencesPane(preferences, live)
                    .lookup("#preferences-live-mode");
            assertThat(mode.getItems()).isEqualTo(List.of(Optional.empty(), Optional.of(LiveMode.LIVE),
                    Optional.of(LiveMode.LOW_IMPACT), Optional.of(LiveMode.BLACKOUT)));
            assertThat(mode.getValue()).isEmpty();
            mode.setValue(Optional.of(LiveMode.BLACKOUT));
            assertThat(next(settings)).contains(LiveMode.BLACKOUT);
            mode.setValue(Optional.empty());
            assertThat(next(settings)).isEmpty();
            return null;
        }).get(20, TimeUnit.SECONDS);
    }

    @Test
    void aWordFindsAPreferenceByNameChoiceOrGroup() throws Exception {
        WaitForAsyncUtils.asyncFx(() -> {
            PreferencesPane form = new PreferencesPane(preferences(), new LiveViewModel());
            assertThat(form.find("")).isEqualTo(6);
            assertThat(form.find("dark")).isOne();
            assertThat(form.getChildren()).hasSize(3);
            assertThat(form.lookup("#preferences-theme")).isNotNull();
            assertThat(form.find("blackout")).isOne();
            assertThat(form.lookup("#preferences-live-mode")).isNotNull();
            assertThat(form.lookup("#preferences-theme")).isNull();
            assertThat(form.find("LOOKS")).isEqualTo(3);
            assertThat(form.find("nowhere")).isZero();
            assertThat(((Label) form.getChildren().getFirst()).getText()).isEqualTo("No preference matches.");
            return null;
        }).get(20, TimeUnit.SECONDS);
    }

    @Test
    void theFieldFindsInEveryTab() throws Exception {
        WaitForAsyncUtils.asyncFx(() -> {
            LiveViewModel live = new LiveViewModel();
            KeyBindings keys = new KeyBindings(new Settings(folder.resolve("settings.properties")));
            keys.over(List.of(Action.of(Action.Group.FILE, "menu.open", "Shortcut+O", () -> {}),
                    Action.of(Action.Group.VIEW, "menu.live-mode", "Shortcut+L", live::chooseNext)));
            PreferencesTabs all = new PreferencesTabs(preferences(), live, keys);
            new Scene(all, 600, 600).snapshot(null);
            TabPane tabs = (TabPane) all.lookup("#preferences-tabs");
            TextField find = (TextField) all.lookup("#preferences-find");
            press(all, KeyCode.F);
            assertThat(all.getScene().getFocusOwner()).isSameAs(find);
            find.setText("open result");
            assertThat(tabs.getTabs()).extracting(Tab::getText).containsExactly("General (0)", "Keys (1)");
            assertThat(tabs.getSelectionModel().getSelectedIndex()).isOne();
            find.setText("dark");
            assertThat(tabs.getTabs()).extracting(Tab::getText).containsExactly("General (1)", "Keys (0)");
            assertThat(tabs.getSelectionModel().getSelectedIndex()).isZero();
            find.clear();
            assertThat(tabs.getTabs()).extracting(Tab::getText).containsExactly("General", "Keys");
            ComboBox<?> mode = (ComboBox<?>) all.lookup("#preferences-live-mode");
            press(all, KeyCode.L);
            assertThat(mode.getValue()).isEqualTo(Optional.of(LiveMode.LOW_IMPACT));
            live.choose(LiveMode.LIVE);
            assertThat(mode.getValue()).isEqualTo(Optional.of(LiveMode.LIVE));
            return null;
        }).get(20, TimeUnit.SECONDS);
    }

    private Preferences preferences() {
        return new Preferences(new Settings(folder.resolve("settings.properties")), new Appearance(Shade.LIGHT));
    }

    private static void press(PreferencesTabs all, KeyCode code) {
        Event.fireEvent(all, new KeyEvent(KeyEvent.KEY_PRESSED, "", "", code, false, true, false, false));
    }

    /// What the next session begins with.
    private static Optional<LiveMode> next(Settings settings) {
        LiveViewModel live = new LiveViewModel();
        new Preferences(settings, new Appearance(Shade.LIGHT)).keepLiveMode(live);
        return live.chosen().get();
    }
}
