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

/// How the window looks: AtlantaFX Primer in the light or dark shade, with our tokens on top. Belongs to the JavaFX thread.
public final class Appearance {
    private static final PseudoClass DARK = PseudoClass.getPseudoClass("dark");
    private final String stylesheet;
    private final ReadOnlyObjectWrapper<Shade> shade = new ReadOnlyObjectWrapper<>(Shade.LIGHT);

    /// Starts in a shade without applying it to any scene.
    public Appearance(Shade first) {
        URL resource = Appearance.class.getResource("/org/inferometer/ui/inferometer.css");
        stylesheet = Objects.requireNonNull(resource, "inferometer.css").toExternalForm();
        setShade(first);
    }

    /// The shade now.
    public ReadOnlyObjectProperty<Shade> shade() {
        return shade.getReadOnlyProperty();
    }

    /// Changes the shade of every window.
    public void setShade(Shade wanted) {
        Application.setUserAgentStylesheet(switch (wanted) {
            case LIGHT -> new PrimerLight().getUserAgentStylesheet();
            case DARK -> new PrimerDark().getUserAgentStylesheet();
        });
        shade.set(wanted);
    }

    /// The other shade.
    public void toggle() {
        setShade(shade.get() == Shade.LIGHT ? Shade.DARK : Shade.LIGHT);
    }

    /// Gives a scene our tokens and keeps its root in step with the shade, for as long as the scene lives.
    public void dress(Scene scene) {
        scene.getStylesheets().add(stylesheet);
        mark(scene.getRoot());
        shade.addListener((observed, before, now) -> mark(scene.getRoot()));
    }

    /// The stylesheet of our tokens, for dialog panes and other roots of their own.
    public void dress(Parent root) {
        root.getStylesheets().add(stylesheet);
        mark(root);
    }

    private void mark(Parent root) {
        root.pseudoClassStateChanged(DARK, shade.get() == Shade.DARK);
    }
}
