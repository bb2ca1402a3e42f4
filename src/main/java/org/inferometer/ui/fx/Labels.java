package org.inferometer.ui.fx;

import javafx.scene.control.Label;
import javafx.scene.layout.Region;

/// Makes the labels that sentences stand in.
public final class Labels {
    private Labels() {}

    /// A label that takes the width there is, wraps, and is never cut to fewer lines than it needs.
    public static Label wrapped(String sentence, String... styleClasses) {
        Label label = new Label(sentence);
        label.setWrapText(true);
        label.setMinHeight(Region.USE_PREF_SIZE);
        label.setMaxWidth(Double.MAX_VALUE);
        label.getStyleClass().addAll(styleClasses);
        return label;
    }
}
