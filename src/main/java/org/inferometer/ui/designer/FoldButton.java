package org.inferometer.ui.designer;

import atlantafx.base.theme.Styles;
import javafx.scene.Node;
import javafx.scene.control.ToggleButton;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;
import org.kordamp.ikonli.javafx.FontIcon;

/// Shows a part of the form while it is pressed, and folds it again.
final class FoldButton extends ToggleButton {
    FoldButton(String id, String label) {
        super(label, new FontIcon("mdal-expand_more"));
        setId(id);
        getStyleClass().addAll(Styles.FLAT, Styles.SMALL, StyleClasses.UNFOLD);
    }

    /// Folds a node whose other conditions do not change.
    FoldButton folding(Node part) {
        Panes.showWhen(part, selectedProperty());
        return folds(part);
    }

    /// Tells that it folds a node, whatever else shows or hides that.
    FoldButton folds(Node part) {
        part.getProperties().put(FoldButton.class, this);
        return this;
    }

    /// Unfolds every part that a node stands in.
    static void unfold(Node within) {
        for (Node each = within; each != null; each = each.getParent()) {
            if (each.getProperties().get(FoldButton.class) instanceof FoldButton fold) {
                fold.setSelected(true);
            }
        }
    }
}
