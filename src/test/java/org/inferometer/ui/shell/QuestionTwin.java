package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import java.util.List;
import java.util.function.Consumer;
import javafx.application.Platform;
import javafx.scene.Scene;
import javafx.stage.Window;
import org.inferometer.ui.fx.Questions;
import org.inferometer.ui.fx.UiThread.JavaFxThread;
import org.inferometer.ui.fx.WhileMeasuring;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.ui.shell.AlertQuestions.QuitQuestion;
import org.inferometer.ui.theme.Appearance;
import org.jspecify.annotations.Nullable;

/// Opens the questions and the error dialog, which wait for an answer, and closes them once they were seen. Belongs to the JavaFX thread.
public final class QuestionTwin {
    private final @Nullable Window owner;
    private final Appearance appearance;

    /// @param owner of the dialogs
    public QuestionTwin(@Nullable Window owner, Appearance appearance) {
        this.owner = owner;
        this.appearance = appearance;
    }

    /// Asks before something is lost.
    public void confirm(String heading, String detail, String action, String instead, Consumer<Scene> seen) {
        ask(seen, () -> new AlertQuestions(() -> owner, appearance).confirmed(heading, detail, action, instead));
    }

    /// Asks before heavy work beside an experiment.
    public void beside(Consumer<Scene> seen) {
        ask(seen, () -> new AlertQuestions(() -> owner, appearance).beside(WindowWork.TIMELINE));
    }

    /// Asks for one of several answers.
    public <A> void choose(String heading, String detail, List<Questions.Answer<A>> answers, Consumer<Scene> seen) {
        ask(seen, () -> new AlertQuestions(() -> owner, appearance).chosen(heading, detail, answers));
    }

    /// Asks what becomes of an experiment when the window closes.
    public void quit(Consumer<Scene> seen) {
        QuitQuestion question =
                QuitQuestion.of(true, false, new WhileMeasuring(work -> WhileMeasuring.Answer.AFTERWARDS));
        choose(text("quit.heading"), question.detail(), question.answers(), seen);
    }

    /// Shows an unexpected failure.
    public void failed(Throwable failure, Consumer<Scene> seen) {
        new ErrorDialog(new JavaFxThread(), () -> owner, appearance, "1.0").uncaughtException(Thread.currentThread(),
                failure);
        closeWhenSeen(seen);
    }

    /// A question cannot wait within a pulse.
    private static void ask(Consumer<Scene> seen, Runnable question) {
        Platform.runLater(() -> {
            closeWhenSeen(seen);
            question.run();
        });
    }

    private static void closeWhenSeen(Consumer<Scene> seen) {
        Platform.runLater(() -> {
            Scene scene = Window.getWindows().getLast().getScene();
            seen.accept(scene);
            scene.getWindow().hide();
        });
    }
}
