package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.ui.fx.Questions.Answer;
import org.inferometer.ui.fx.WhileMeasuring;

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
            answers.add(
                    new Answer<>(Choice.BACKGROUND, "quit-background", text("quit.background"), Answer.Look.DEFAULT));
        }
        answers.add(new Answer<>(Choice.STOP, "quit-stop", text("quit.action"), Answer.Look.DANGER));
        answers.add(new Answer<>(Choice.CANCEL, "quit-cancel", text("quit.instead"),
                canComeBack ? Answer.Look.PLAIN : Answer.Look.DEFAULT));
        return new QuitQuestion(waiting == 0 ? detail : text("quit.detail-waiting", detail, waiting), answers);
    }
}
