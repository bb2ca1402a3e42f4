package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import javafx.scene.control.TextInputControl;
import javafx.scene.control.ToggleButton;
import javafx.scene.input.KeyCode;
import org.inferometer.experiment.LoadSweep.Measure;
import org.inferometer.ui.twin.DesktopTwin;
import org.inferometer.ui.twin.LibraryTwin;
import org.inferometer.ui.twin.PlainComposer;
import org.inferometer.ui.twin.ScriptedBenchmark;
import org.junit.jupiter.api.Test;

/// The first run over a scripted experiment.
class ScriptedFirstRunTest extends FirstRun {
    private ScriptedBenchmark service;

    @Override
    protected DesktopServices services(Path folder, boolean lasting) {
        LibraryTwin library = new LibraryTwin(folder.resolve("results"));
        service = new ScriptedBenchmark(library, 1);
        return DesktopTwin.services(service, library, new LibraryTwin(folder.resolve("samples")), new PlainComposer());
    }

    @Override
    protected void liveWasSeen() throws Exception {
        service.awaitTheMiddle();
        markAndLog();
        endElsewhere(service::goOn);
    }

    @Test
    void bothShadesHaveNoStyleFault() throws Exception {
        robot.clickOn("#theme-toggle");
        robot.clickOn("#rail-results");
        robot.clickOn("#theme-toggle");
        robot.clickOn("#rail-bench");
        push(KeyCode.F1);
        until(() -> robot.listWindows().size() > 1);
        pushIn(robot.listWindows().getLast(), KeyCode.ESCAPE);
        assertThat(cssFaults.all()).isEmpty();
    }

    @Test
    void enterInAFieldChecksItAndRunsNothing() throws Exception {
        TextInputControl field = robot.lookup("#field-requests").queryAs(TextInputControl.class);
        onFx(() -> {
            field.requestFocus();
            field.setText("x");
            return null;
        });
        String before = label("#field-requests-message");
        push(KeyCode.ENTER);
        until(() -> !label("#field-requests-message").equals(before));
        assertThat(desktop.window().bench().state().get().isRunning()).isFalse();
        assertThat(field.getText()).isEqualTo("x");
    }

    @Test
    void anArrowKeyChoosesTheArrivalsThatItHighlights() throws Exception {
        ToggleButton closed = robot.lookup("#arrivals-concurrency").queryAs(ToggleButton.class);
        onFx(() -> {
            closed.fire();
            closed.requestFocus();
            return null;
        });
        assertThat(desktop.window().bench().designer().workload().arrivals().get()).isEqualTo(Measure.CONCURRENCY);
        push(KeyCode.RIGHT);
        until(() -> desktop.window().bench().designer().workload().arrivals().get() == Measure.RATE);
        assertThat(node("#field-rate").isVisible()).isTrue();
        assertThat(robot.lookup("#arrivals-rate").queryAs(ToggleButton.class).isSelected()).isTrue();
    }
}
