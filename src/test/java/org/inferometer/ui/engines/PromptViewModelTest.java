package org.inferometer.ui.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.inferometer.prompting.PromptProcess;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.UiThread;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Prompts to a program that this test writes.
@Timeout(60)
class PromptViewModelTest {
    @TempDir
    Path folder;
    private final LinkedBlockingQueue<Runnable> later = new LinkedBlockingQueue<>();

    @BeforeEach
    void needsShell() {
        assumeThat(Path.of("/bin/sh")).as("a shell").isExecutable();
    }

    private PromptViewModel model(String script) throws IOException {
        Path program = Files.writeString(folder.resolve("program"), script);
        UiThread ui = new UiThread() {
            @Override
            public void later(Runnable action) {
                later.add(action);
            }

            @Override
            public boolean current() {
                return false;
            }
        };
        return new PromptViewModel(new PromptProcess(List.of("/bin/sh", program.toString()), folder),
                new BackgroundWork(work -> Thread.ofPlatform().daemon().start(work), ui));
    }

    private void until(PromptViewModel model, String outcome) throws InterruptedException {
        while (model.running().get() || !model.outcome().get().equals(outcome)) {
            Runnable next = later.poll(20, TimeUnit.SECONDS);
            assertThat(next).as("outcome \"%s\"", model.outcome().get()).isNotNull();
            next.run();
        }
    }

    @Test
    void theAnswerComesWithItsEnd() throws Exception {
        PromptViewModel model = model("cat; echo \" $*\"; echo WARNING: x >&2; echo 3 answered. >&2");
        model.prompt().set("to be ü");
        model.tokens().set(7);
        model.show("m-int4");
        model.ask();
        assertThat(model.running().get()).isTrue();
        assertThat(model.outcome().get()).isEqualTo("Loading m-int4…");
        until(model, "3 answered.");
        String command = "to be ü --workspace " + folder + " engines prompt m-int4 --max-tokens 7 --temperature 0.0";
        assertThat(model.answer().get()).isEqualTo(command + "\n");
        model.raw().set(true);
        model.ask();
        until(model, "3 answered.");
        assertThat(model.answer().get()).isEqualTo(command + " --raw\n");
    }

    @Test
    void whyThereIsNoAnswerIsSaid() throws Exception {
        PromptViewModel model = model("echo 'error: The engine is not built.' >&2; exit 3");
        model.show("m");
        model.ask();
        assertThat(model.running().get()).as("without a prompt").isFalse();
        model.prompt().set("a");
        model.ask();
        until(model, "The engine is not built.");
    }

    @Test
    void aStopEndsTheProcess() throws Exception {
        PromptViewModel model = model("echo begun; echo $$ > " + folder + "/pid; exec sleep 100");
        model.prompt().set("a");
        model.ask();
        while (model.answer().get().isEmpty()) {
            later.take().run();
        }
        model.stop();
        until(model, "Stopped.");
        assertThat(model.answer().get()).isEqualTo("begun\n");
    }

    @Test
    void anotherEngineDoesNotShowTheAnswer() throws Exception {
        PromptViewModel model = model("echo begun; exec sleep 100");
        model.show("m");
        model.prompt().set("a");
        model.ask();
        while (model.answer().get().isEmpty()) {
            later.take().run();
        }
        model.show("m");
        assertThat(model.answer().get()).isEqualTo("begun\n");
        model.show("other");
        assertThat(model.answer().get()).isEmpty();
        until(model, "");
    }
}
