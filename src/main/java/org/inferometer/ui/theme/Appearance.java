package org.inferometer.ui.theme;

import atlantafx.base.theme.PrimerDark;
import atlantafx.base.theme.PrimerLight;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import javafx.application.Application;
import javafx.application.ColorScheme;
import javafx.application.Platform;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.css.PseudoClass;
import javafx.scene.Parent;
import javafx.scene.Scene;
import javafx.util.Subscription;
import org.inferometer.report.charts.ChartRenderer.Shade;

/// The looks of the window: AtlantaFX Primer with our tokens, light or dark, usual or high contrast, and the size of texts. Belongs to the
/// JavaFX thread.
public final class Appearance {
    private static final PseudoClass DARK = PseudoClass.getPseudoClass("dark");
    private static final PseudoClass CONTRAST = PseudoClass.getPseudoClass("contrast");
    private static final String RESOURCE = "/org/inferometer/ui/inferometer.css";
    private final String tokens = tokens();
    private final ReadOnlyObjectWrapper<Shade> shade = new ReadOnlyObjectWrapper<>(Shade.LIGHT);
    private final ReadOnlyObjectWrapper<TextSize> textSize = new ReadOnlyObjectWrapper<>(TextSize.USUAL);
    private final ReadOnlyObjectWrapper<Boolean> contrast = new ReadOnlyObjectWrapper<>(false);
    private String stylesheet = TextSize.address(tokens);

    /// Sets the theme of the application.
    public Appearance(Shade first) {
        setShade(first);
    }

    private static String tokens() {
        try (InputStream resource = Objects.requireNonNull(Appearance.class.getResourceAsStream(RESOURCE))) {
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("The program is damaged: its stylesheet cannot be read.", e);
        }
    }

    /// The current shade.
    public ReadOnlyObjectProperty<Shade> shade() {
        return shade.getReadOnlyProperty();
    }

    /// Changes the theme of every window.
    public void setShade(Shade wanted) {
        Application.setUserAgentStylesheet(switch (wanted) {
            case LIGHT -> new PrimerLight().getUserAgentStylesheet();
            case DARK -> new PrimerDark().getUserAgentStylesheet();
        });
        shade.set(wanted);
    }

    /// Switches between light and dark.
    public void toggle() {
        setShade(shade.get() == Shade.LIGHT ? Shade.DARK : Shade.LIGHT);
    }

    public ReadOnlyObjectProperty<TextSize> textSize() {
        return textSize.getReadOnlyProperty();
    }

    /// Changes the size of texts in every window.
    public void setTextSize(TextSize wanted) {
        stylesheet = TextSize.address(wanted.scaled(tokens));
        textSize.set(wanted);
    }

    /// Whether colours of high contrast are shown.
    public ReadOnlyObjectProperty<Boolean> contrast() {
        return contrast.getReadOnlyProperty();
    }

    /// Shows colours of high contrast, or the usual ones, in every window.
    public void setContrast(boolean high) {
        contrast.set(high);
    }

    /// Adds our tokens to a scene and follows changes.
    public void dress(Scene scene) {
        scene.getStylesheets().add(stylesheet);
        mark(scene.getRoot());
        shade.addListener((observed, before, now) -> mark(scene.getRoot()));
        contrast.addListener((observed, before, now) -> mark(scene.getRoot()));
        textSize.addListener((observed, before, now) -> scene.getStylesheets().setAll(stylesheet));
    }

    /// Adds our tokens to the root of a dialog.
    public void dress(Parent root) {
        root.getStylesheets().add(stylesheet);
        mark(root);
    }

    /// Follows changes with a dressed root, until the subscription ends.
    ///
    /// @param resized is called when texts have another size
    public Subscription follow(Parent root, Runnable resized) {
        String[] own = {stylesheet};
        return Subscription.combine(shade.subscribe((before, now) -> mark(root)),
                contrast.subscribe((before, now) -> mark(root)), textSize.subscribe((before, now) -> {
                    root.getStylesheets().replaceAll(each -> each.equals(own[0]) ? stylesheet : each);
                    own[0] = stylesheet;
                    resized.run();
                }));
    }

    private void mark(Parent root) {
        root.pseudoClassStateChanged(DARK, shade.get() == Shade.DARK);
        root.pseudoClassStateChanged(CONTRAST, contrast.get());
    }

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
                case SYSTEM ->
                    Platform.getPreferences().getColorScheme() == ColorScheme.DARK ? Shade.DARK : Shade.LIGHT;
            };
        }
    }
}
