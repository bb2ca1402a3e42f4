package org.inferometer.ui.fx;

import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import org.inferometer.ui.theme.StyleClasses;

/// Weights and KV cache as parts of a device's memory. A bar that is full with its outline marked means that they do not fit.
public final class MemoryBar extends HBox {
    private static final double HEIGHT = 14;

    private final Region weights = part(StyleClasses.MEMORY_WEIGHTS);
    private final Region kvCache = part(StyleClasses.MEMORY_KV);

    /// @param id names it in the scene
    public MemoryBar(String id) {
        setId(id);
        getStyleClass().add(StyleClasses.MEMORY_BAR);
        setMinHeight(HEIGHT);
        setMaxHeight(HEIGHT);
        setMaxWidth(Double.MAX_VALUE);
        Region rest = new Region();
        HBox.setHgrow(rest, Priority.ALWAYS);
        getChildren().addAll(weights, kvCache, rest);
    }

    private static Region part(String styleClass) {
        Region part = Panes.styled(new Region(), styleClass);
        part.setMinWidth(0);
        return part;
    }

    /// Shows these bytes.
    ///
    /// @param deviceBytes the memory of the device
    /// @param sentence for people who do not see it
    public void show(long weightBytes, long kvBytes, long deviceBytes, String sentence) {
        double whole = Math.max(1, Math.max(weightBytes + kvBytes, deviceBytes));
        width(weights, weightBytes / whole);
        width(kvCache, kvBytes / whole);
        boolean over = weightBytes + kvBytes > deviceBytes;
        getStyleClass().remove(StyleClasses.MEMORY_OVER);
        if (over) {
            getStyleClass().add(StyleClasses.MEMORY_OVER);
        }
        setAccessibleText(sentence);
    }

    private void width(Region part, double share) {
        part.prefWidthProperty().bind(widthProperty().multiply(share));
        part.setMinWidth(share > 0 ? 1 : 0);
    }
}
