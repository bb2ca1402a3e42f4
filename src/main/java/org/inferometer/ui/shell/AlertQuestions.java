package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.function.Supplier;
import javafx.scene.control.Alert;
import javafx.scene.control.Button;
import javafx.scene.control.ButtonBar;
import javafx.scene.control.ButtonType;
import javafx.stage.Window;
import org.inferometer.ui.fx.Questions;
import org.inferometer.ui.fx.WhileMeasuring;
import org.inferometer.ui.fx.WindowWork;
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

    /// Asks what to do with heavy work while an experiment runs. Closing the dialog declines it.
    WhileMeasuring.Answer beside(WindowWork work) {
        ButtonType later = new ButtonType(text("beside.afterwards"), ButtonBar.ButtonData.OTHER);
        ButtonType now = new ButtonType(text("beside.now"), ButtonBar.ButtonData.OTHER);
        ButtonType cancel = new ButtonType(text("beside.cancel"), ButtonBar.ButtonData.CANCEL_CLOSE);
        Alert alert = alert(text("beside.heading"), text("beside.detail", work.label()), later, now, cancel);
        Button first = (Button) alert.getDialogPane().lookupButton(later);
        first.setId("beside-afterwards");
        first.setDefaultButton(true);
        alert.getDialogPane().lookupButton(now).setId("beside-now");
        ButtonType answer = alert.showAndWait().orElse(cancel);
        return answer == later ? WhileMeasuring.Answer.AFTERWARDS : answer == now ? WhileMeasuring.Answer.NOW
                : WhileMeasuring.Answer.NOT_AT_ALL;
    }

    private Alert alert(String heading, String detail, ButtonType... answers) {
        Alert alert = new Alert(Alert.AlertType.CONFIRMATION, detail, answers);
        alert.setTitle(heading);
        alert.setHeaderText(heading);
        alert.setGraphic(null);
        alert.initOwner(owner.get());
        appearance.dress(alert.getDialogPane());
        return alert;
    }

    @Override
    public boolean confirmed(String heading, String detail, String action, String instead) {
        ButtonType act = new ButtonType(action, ButtonBar.ButtonData.OTHER);
        ButtonType keep = new ButtonType(instead, ButtonBar.ButtonData.CANCEL_CLOSE);
        Alert alert = alert(heading, detail, act, keep);
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
