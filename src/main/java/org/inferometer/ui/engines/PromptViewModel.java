package org.inferometer.ui.engines;

import static org.inferometer.ui.fx.Messages.text;

import javafx.beans.property.BooleanProperty;
import javafx.beans.property.IntegerProperty;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.beans.property.SimpleIntegerProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import org.inferometer.prompting.PromptProcess;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.WindowWork;
import org.jspecify.annotations.Nullable;

/// One prompt and an engine's answer to it, as it comes. Belongs to the UI thread.
public final class PromptViewModel {
    private static final int STANDARD_TOKENS = 128;

    private final PromptProcess prompts;
    private final BackgroundWork work;
    private final StringProperty prompt = new SimpleStringProperty("");
    private final IntegerProperty tokens = new SimpleIntegerProperty(STANDARD_TOKENS);
    private final BooleanProperty raw = new SimpleBooleanProperty();
    private final ReadOnlyStringWrapper answer = new ReadOnlyStringWrapper("");
    private final ReadOnlyStringWrapper outcome = new ReadOnlyStringWrapper("");
    private final ReadOnlyBooleanWrapper running = new ReadOnlyBooleanWrapper();
    private String engine = "";
    private volatile PromptProcess.@Nullable Running process;
    private volatile boolean stopAsked;

    public PromptViewModel(PromptProcess prompts, BackgroundWork work) {
        this.prompts = prompts;
        this.work = work;
    }

    /// Belongs to an engine from now on; another engine's answer ends and goes.
    void show(String name) {
        if (!name.equals(engine)) {
            engine = name;
            stop();
            answer.set("");
            outcome.set("");
        }
    }

    /// The text that the engine continues.
    StringProperty prompt() {
        return prompt;
    }

    /// Most tokens of the answer.
    IntegerProperty tokens() {
        return tokens;
    }

    /// Whether the model continues the prompt itself, without its chat template.
    BooleanProperty raw() {
        return raw;
    }

    /// The answer so far.
    ReadOnlyStringProperty answer() {
        return answer.getReadOnlyProperty();
    }

    /// How the answer ended, or why there is none; empty before.
    ReadOnlyStringProperty outcome() {
        return outcome.getReadOnlyProperty();
    }

    /// Whether an engine answers.
    ReadOnlyBooleanProperty running() {
        return running.getReadOnlyProperty();
    }

    /// Lets an engine answer; no effect while one does, or without a prompt.
    void ask() {
        String asked = prompt.get();
        if (running.get() || asked.isEmpty()) {
            return;
        }
        running.set(true);
        stopAsked = false;
        answer.set("");
        outcome.set(text("engines.prompt-loading", engine));
        int most = tokens.get();
        boolean asIs = raw.get();
        String name = engine;
        work.run(WindowWork.TEST_PROMPT, () -> answered(name, asked, most, asIs), how -> ended(name, how),
                failure -> ended(name, ErrorText.sentence(failure)), () -> ended(name, ""));
    }

    private String answered(String name, String asked, int most, boolean asIs) throws Exception {
        PromptProcess.Running begun = prompts.start(name, asked, most, 0, asIs);
        process = begun;
        if (stopAsked) {
            begun.stop();
        }
        String end = begun.follow(text -> work.ui().run(() -> {
            if (name.equals(engine)) {
                outcome.set("");
                answer.set(answer.get() + text);
            }
        }));
        return end.isEmpty() ? text("engines.prompt-stopped") : end;
    }

    private void ended(String name, String how) {
        process = null;
        running.set(false);
        outcome.set(name.equals(engine) ? how : "");
    }

    /// Ends the answer.
    void stop() {
        stopAsked = true;
        PromptProcess.Running now = process;
        if (now != null) {
            now.stop();
        }
    }
}
