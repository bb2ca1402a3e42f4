package org.inferometer.ui.shell;

import java.util.Locale;
import javafx.beans.property.ObjectProperty;
import org.inferometer.ui.bench.LiveMode;
import org.inferometer.ui.bench.LiveViewModel;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.theme.Appearance;
import org.inferometer.ui.theme.Appearance.ThemeChoice;
import org.inferometer.ui.theme.TextSize;

/// What a person chose for all sessions: looks, and whether the last session is restored. Belongs to the JavaFX thread.
final class Preferences {
    private static final String THEME = "theme";
    private static final String TEXT_SIZE = "text-size";
    private static final String CONTRAST = "high-contrast";
    private static final String RESTORE = "restore-session";
    private static final String LIVE_MODE = "live-mode";
    private static final String AUTOMATIC = "automatic";
    private final Settings settings;
    private final ObjectProperty<ThemeChoice> theme;
    private final ObjectProperty<TextSize> textSize;
    private final ObjectProperty<Boolean> contrast;
    private final ObjectProperty<Boolean> restore;

    /// Reads the settings, applies them and follows changes.
    Preferences(Settings settings, Appearance appearance) {
        this.settings = settings;
        theme = settings.property(THEME, ThemeChoice::of, ThemeChoice::key);
        textSize = settings.property(TEXT_SIZE, TextSize::of, size -> Integer.toString(size.percent()));
        contrast = settings.property(CONTRAST, Boolean::parseBoolean, String::valueOf);
        restore = settings.property(RESTORE, text -> text.isEmpty() || Boolean.parseBoolean(text), String::valueOf);
        if (settings.get(THEME).isPresent()) {
            appearance.setShade(theme.get().shade());
        }
        theme.addListener((observed, before, now) -> appearance.setShade(now.shade()));
        textSize.subscribe(appearance::setTextSize);
        contrast.subscribe(appearance::setContrast);
        // The button of the top bar chooses a theme, too.
        appearance.shade().addListener((observed, before, now) -> {
            if (theme.get().shade() != now) {
                theme.set(ThemeChoice.of(now.name().toLowerCase(Locale.ROOT)));
            }
        });
    }

    /// Light, dark, or as the system.
    ObjectProperty<ThemeChoice> theme() {
        return theme;
    }

    ObjectProperty<TextSize> textSize() {
        return textSize;
    }

    /// Whether colours have high contrast.
    ObjectProperty<Boolean> contrast() {
        return contrast;
    }

    /// Whether the next start shows what is open now.
    ObjectProperty<Boolean> restore() {
        return restore;
    }

    /// Chooses the live mode of the last session, if a person chose one, and follows changes.
    void keepLiveMode(LiveViewModel live) {
        settings.get(LIVE_MODE).filter(mode -> !mode.equals(AUTOMATIC))
                .ifPresent(mode -> live.choose(LiveMode.of(mode)));
        live.chosen().addListener(
                (observed, before, now) -> settings.put(LIVE_MODE, now.map(LiveMode::key).orElse(AUTOMATIC)));
    }
}
