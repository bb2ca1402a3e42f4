package org.inferometer.ui.shell;

import atlantafx.base.theme.Styles;
import java.util.function.Supplier;
import javafx.scene.control.Alert;
import javafx.scene.control.Button;
import javafx.scene.control.ButtonBar;
import javafx.scene.control.ButtonType;
import javafx.stage.Window;
import org.inferometer.ui.fx.Questions;
import org.inferometer.ui.theme.Appearance;
import org.jspecify.annotations.Nullable;

/// Asks with a dialog. The harmless answer is the default.
final class AlertQuestions implements Questions {
    private final Supplier<@Nullable Window> owner;
    private final Appearance appearance;

    AlertQuestions(Supplier<@Nullable Window> owner, Appearance appearance) {
        this.owner = owner;
        this.appearance = appearance;
    }

    @Override
    public boolean confirmed(String heading, String detail, String action, String instead) {
        ButtonType act = new ButtonType(action, ButtonBar.ButtonData.OTHER);
        ButtonType keep = new ButtonType(instead, ButtonBar.ButtonData.CANCEL_CLOSE);
        Alert alert = new Alert(Alert.AlertType.CONFIRMATION, detail, act, keep);
        alert.setTitle(heading);
        alert.setHeaderText(heading);
        alert.setGraphic(null);
        alert.initOwner(owner.get());
        appearance.dress(alert.getDialogPane());
        Button actButton = (Button) alert.getDialogPane().lookupButton(act);
        actButton.setId("question-action");
        actButton.getStyleClass().add(Styles.DANGER);
        actButton.setDefaultButton(false);
        Button keepButton = (Button) alert.getDialogPane().lookupButton(keep);
        keepButton.setId("question-instead");
        keepButton.setDefaultButton(true);
        return alert.showAndWait().filter(answer -> answer == act).isPresent();
    }
}
