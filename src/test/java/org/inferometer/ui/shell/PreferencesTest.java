package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javafx.scene.control.ComboBox;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.bench.LiveMode;
import org.inferometer.ui.bench.LiveViewModel;
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

    /// What the next session begins with.
    private static Optional<LiveMode> next(Settings settings) {
        LiveViewModel live = new LiveViewModel();
        new Preferences(settings, new Appearance(Shade.LIGHT)).keepLiveMode(live);
        return live.chosen().get();
    }
}
