package org.inferometer.ui.theme;

import atlantafx.base.theme.PrimerDark;
import atlantafx.base.theme.PrimerLight;
import java.net.URL;
import java.util.Objects;
import javafx.application.Application;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.css.PseudoClass;
import javafx.scene.Parent;
import javafx.scene.Scene;
import org.inferometer.report.charts.ChartRenderer.Shade;

/// The theme of the window: AtlantaFX Primer, light or dark, with our tokens. Belongs to the JavaFX thread.
public final class Appearance {
    private static final PseudoClass DARK = PseudoClass.getPseudoClass("dark");
    private final String stylesheet;
    private final ReadOnlyObjectWrapper<Shade> shade = new ReadOnlyObjectWrapper<>(Shade.LIGHT);

    /// Sets the theme of the application.
    public Appearance(Shade first) {
        URL resource = Appearance.class.getResource("/org/inferometer/ui/inferometer.css");
        stylesheet = Objects.requireNonNull(resource, "inferometer.css").toExternalForm();
        setShade(first);
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

    /// Adds our tokens to a scene and follows changes of the theme.
    public void dress(Scene scene) {
        scene.getStylesheets().add(stylesheet);
        mark(scene.getRoot());
        shade.addListener((observed, before, now) -> mark(scene.getRoot()));
    }

    /// Adds our tokens to the root of a dialog.
    public void dress(Parent root) {
        root.getStylesheets().add(stylesheet);
        mark(root);
    }

    private void mark(Parent root) {
        root.pseudoClassStateChanged(DARK, shade.get() == Shade.DARK);
    }
}
