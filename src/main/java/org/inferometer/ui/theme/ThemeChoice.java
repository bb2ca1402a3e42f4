package org.inferometer.ui.theme;

import java.util.Arrays;
import java.util.Locale;
import javafx.application.ColorScheme;
import javafx.application.Platform;
import org.inferometer.report.charts.ChartRenderer.Shade;

/// The theme that a person chose.
public enum ThemeChoice {
    /// As the operating system has it.
    SYSTEM, LIGHT, DARK;

    /// Its name in settings: "dark".
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The choice of a name in settings; unknown names are [#SYSTEM].
    public static ThemeChoice of(String key) {
        return Arrays.stream(values()).filter(choice -> choice.key().equals(key)).findFirst().orElse(SYSTEM);
    }

    /// The shade to show now. Called on the JavaFX thread.
    public Shade shade() {
        return switch (this) {
            case LIGHT -> Shade.LIGHT;
            case DARK -> Shade.DARK;
            case SYSTEM -> Platform.getPreferences().getColorScheme() == ColorScheme.DARK ? Shade.DARK : Shade.LIGHT;
        };
    }
}
