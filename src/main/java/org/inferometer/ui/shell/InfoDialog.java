package org.inferometer.ui.shell;

import javafx.scene.Node;
import javafx.scene.control.Alert;
import javafx.scene.control.ButtonType;
import org.inferometer.ui.theme.Appearance;
import org.jspecify.annotations.Nullable;

/// A dialog that tells something and is closed.
final class InfoDialog {
    private InfoDialog() {}

    /// Shows it over the window of a node, without waiting.
    static void show(String heading, String body, @Nullable Node content, Node over, Appearance appearance) {
        of(heading, body, content, over, appearance).show();
    }

    /// The dialog, over the window of a node.
    ///
    /// @param content in place of the text; may be absent
    static Alert of(String heading, String body, @Nullable Node content, Node over, Appearance appearance) {
        Alert alert = new Alert(Alert.AlertType.INFORMATION, body, ButtonType.CLOSE);
        alert.setTitle(heading);
        alert.setHeaderText(heading);
        alert.setGraphic(null);
        if (content != null) {
            alert.getDialogPane().setContent(content);
        }
        if (over.getScene() != null) {
            alert.initOwner(over.getScene().getWindow());
        }
        appearance.dress(alert.getDialogPane());
        // Controls have a size once they are styled; the window takes its own before that.
        alert.getDialogPane().applyCss();
        alert.getDialogPane().layout();
        return alert;
    }
}
