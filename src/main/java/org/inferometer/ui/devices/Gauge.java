package org.inferometer.ui.devices;

import javafx.scene.control.Label;
import javafx.scene.control.ProgressBar;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.jspecify.annotations.Nullable;

/// A share of a whole with its words: "Memory in use  512 MiB of 22.5 GiB" over a bar. Without a share there is no bar.
final class Gauge extends VBox {
    private final Label words = new Label();
    private final ProgressBar bar = new ProgressBar(0);

    Gauge(String id, String name) {
        super(4);
        setId(id);
        getStyleClass().add("gauge");
        Label label = new Label(name);
        label.getStyleClass().addAll("muted", "small-text");
        label.setMinWidth(Region.USE_PREF_SIZE);
        words.getStyleClass().add("gauge-words");
        words.setMinWidth(0);
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        bar.setMaxWidth(Double.MAX_VALUE);
        bar.getStyleClass().add("share-bar");
        bar.setFocusTraversable(false);
        bar.managedProperty().bind(bar.visibleProperty());
        getChildren().addAll(new HBox(8, label, space, words), bar);
    }

    /// @param share 0 to 1; null where not known
    void show(String text, @Nullable Double share) {
        words.setText(text);
        bar.setProgress(share == null ? 0 : Math.clamp(share, 0, 1));
        bar.setVisible(share != null);
    }
}
