package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import javafx.scene.control.Alert;
import javafx.scene.control.Button;
import javafx.scene.control.ButtonBar;
import javafx.scene.control.ButtonType;
import javafx.scene.layout.Region;
import javafx.stage.Window;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.Questions;
import org.inferometer.ui.fx.Questions.Answer;
import org.inferometer.ui.fx.WhileMeasuring;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.ui.theme.Appearance;
import org.jspecify.annotations.Nullable;

/// Asks with a dialog. The harmless answer is the default.
record AlertQuestions(Supplier<@Nullable Window> owner, Appearance appearance) implements Questions {
    /// Asks what to do with heavy work while an experiment runs. Closing the dialog declines it.
    WhileMeasuring.Answer beside(WindowWork work) {
        return chosen(text("beside.heading"), text("beside.detail", work.label()),
                List.of(new Answer<>(WhileMeasuring.Answer.AFTERWARDS, "beside-afterwards", text("beside.afterwards"),
                        Answer.Look.DEFAULT),
                        new Answer<>(WhileMeasuring.Answer.NOW, "beside-now", text("beside.now"), Answer.Look.PLAIN),
                        new Answer<>(WhileMeasuring.Answer.NOT_AT_ALL, "beside-cancel", text("beside.cancel"),
                                Answer.Look.PLAIN)));
    }

    @Override
    public <A> A chosen(String heading, String detail, List<Answer<A>> answers) {
        List<ButtonType> types = answers.stream()
                .map(answer -> new ButtonType(answer.label(),
                        answer == answers.getLast() ? ButtonBar.ButtonData.CANCEL_CLOSE : ButtonBar.ButtonData.OTHER))
                .toList();
        Alert alert = alert(heading, detail, types.toArray(ButtonType[]::new));
        for (int i = 0; i < types.size(); i++) {
            Answer<A> answer = answers.get(i);
            Button button = Panes.named(answer.id(), (Button) alert.getDialogPane().lookupButton(types.get(i)));
            // Equal widths would cut the longest.
            ButtonBar.setButtonUniformSize(button, false);
            button.setMinWidth(Region.USE_PREF_SIZE);
            button.setDefaultButton(answer.look() == Answer.Look.DEFAULT);
            if (answer.look() == Answer.Look.DANGER) {
                button.getStyleClass().add(Styles.DANGER);
            }
        }
        int at = types.indexOf(alert.showAndWait().orElse(types.getLast()));
        return answers.get(at < 0 ? answers.size() - 1 : at).value();
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
        return chosen(heading, detail, List.of(new Answer<>(true, "question-action", action, Answer.Look.DANGER),
                new Answer<>(false, "question-instead", instead, Answer.Look.DEFAULT)));
    }

    /// What becomes of a running experiment when the window closes.
    record QuitQuestion(String detail, List<Answer<Choice>> answers) {
        /// The answers.
        enum Choice {
            /// The experiment goes on without the window.
            BACKGROUND,
            /// The experiment stops.
            STOP,
            /// The window stays.
            CANCEL
        }

        /// @param canComeBack whether a later start shows the closed window again
        /// @param suite whether the experiment is part of a suite that goes on after it
        static QuitQuestion of(boolean canComeBack, boolean suite, WhileMeasuring measuring) {
            String detail = text(!canComeBack ? "quit.detail-stop" : suite ? "quit.detail-suite" : "quit.detail");
            int waiting = measuring.postponed().size();
            List<Answer<Choice>> answers = new ArrayList<>();
            if (canComeBack) {
                answers.add(new Answer<>(Choice.BACKGROUND, "quit-background", text("quit.background"),
                        Answer.Look.DEFAULT));
            }
            answers.add(new Answer<>(Choice.STOP, "quit-stop", text("quit.action"), Answer.Look.DANGER));
            answers.add(new Answer<>(Choice.CANCEL, "quit-cancel", text("quit.instead"),
                    canComeBack ? Answer.Look.PLAIN : Answer.Look.DEFAULT));
            return new QuitQuestion(waiting == 0 ? detail : text("quit.detail-waiting", detail, waiting), answers);
        }
    }
}
