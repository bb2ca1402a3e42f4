package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javafx.event.Event;
import javafx.scene.Node;
import javafx.scene.Scene;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.GridPane;
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
            ComboBox<Optional<LiveMode>> mode =
                    (ComboBox<Optional<LiveMode>>) new PreferencesPane(preferences, live, List.of())
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
            PreferencesPane form = new PreferencesPane(preferences(), new LiveViewModel(), List.of());
            assertThat(form.find("")).isEqualTo(6);
            assertThat(form.find("dark")).isOne();
            assertThat(grid(form)).hasSize(3);
            assertThat(form.lookup("#preferences-theme")).isNotNull();
            assertThat(form.find("blackout")).isOne();
            assertThat(form.lookup("#preferences-live-mode")).isNotNull();
            assertThat(form.lookup("#preferences-theme")).isNull();
            assertThat(form.find("LOOKS")).isEqualTo(3);
            assertThat(form.find("nowhere")).isZero();
            assertThat(((Label) grid(form).getFirst()).getText()).isEqualTo("No preference matches.");
            return null;
        }).get(20, TimeUnit.SECONDS);
    }

    @Test
    void keysOfPreferencesActInTheForm() throws Exception {
        WaitForAsyncUtils.asyncFx(() -> {
            LiveViewModel live = new LiveViewModel();
            PreferencesPane form = new PreferencesPane(preferences(), live,
                    List.of(Action.of(Action.Group.FILE, "menu.open", "Shortcut+O", () -> {
                        throw new AssertionError("It does not act in the form.");
                    }), Action.of(Action.Group.VIEW, "menu.live-mode", "Shortcut+L", live::chooseNext)));
            new Scene(form, 600, 600).snapshot(null);
            TextField find = (TextField) form.lookup("#preferences-find");
            press(form, KeyCode.F);
            assertThat(form.getScene().getFocusOwner()).isSameAs(find);
            find.setText("dark");
            assertThat(grid(form)).hasSize(3);
            find.clear();
            ComboBox<?> mode = (ComboBox<?>) form.lookup("#preferences-live-mode");
            press(form, KeyCode.O);
            press(form, KeyCode.L);
            assertThat(mode.getValue()).isEqualTo(Optional.of(LiveMode.LOW_IMPACT));
            live.choose(LiveMode.LIVE);
            assertThat(mode.getValue()).isEqualTo(Optional.of(LiveMode.LIVE));
            return null;
        }).get(20, TimeUnit.SECONDS);
    }

    private static List<Node> grid(PreferencesPane form) {
        return ((GridPane) form.lookup("#preferences")).getChildren();
    }

    private Preferences preferences() {
        return new Preferences(new Settings(folder.resolve("settings.properties")), new Appearance(Shade.LIGHT));
    }

    private static void press(PreferencesPane form, KeyCode code) {
        Event.fireEvent(form, new KeyEvent(KeyEvent.KEY_PRESSED, "", "", code, false, true, false, false));
    }

    /// What the next session begins with.
    private static Optional<LiveMode> next(Settings settings) {
        LiveViewModel live = new LiveViewModel();
        new Preferences(settings, new Appearance(Shade.LIGHT)).keepLiveMode(live);
        return live.chosen().get();
    }
}
