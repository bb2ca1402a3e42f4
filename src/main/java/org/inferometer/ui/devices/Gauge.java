package org.inferometer.ui.devices;

import atlantafx.base.theme.Styles;
import javafx.scene.control.Label;
import javafx.scene.control.ProgressBar;
import javafx.scene.layout.HBox;
import javafx.scene.layout.VBox;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;
import org.jspecify.annotations.Nullable;

/// A share with its text: "Memory in use  512 MiB of 22.5 GiB" over a bar. Without a share there is no bar.
final class Gauge extends VBox {
    private final Label words = new Label();
    private final ProgressBar bar = new ProgressBar(0);

    Gauge(String id, String name) {
        super(4);
        setId(id);
        getStyleClass().add(StyleClasses.GAUGE);
        words.getStyleClass().add(StyleClasses.GAUGE_WORDS);
        words.setMinWidth(0);
        bar.setMaxWidth(Double.MAX_VALUE);
        bar.getStyleClass().add(StyleClasses.SHARE_BAR);
        bar.setFocusTraversable(false);
        bar.managedProperty().bind(bar.visibleProperty());
        getChildren().addAll(
                new HBox(8, Labels.fixed(name, Styles.TEXT_MUTED, Styles.TEXT_SMALL), Panes.spacer(), words), bar);
    }

    /// @param share 0 to 1; null if unknown
    void show(String text, @Nullable Double share) {
        words.setText(text);
        bar.setProgress(share == null ? 0 : Math.clamp(share, 0, 1));
        bar.setVisible(share != null);
    }
}
