package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import javafx.beans.property.SimpleObjectProperty;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.ui.twin.InlineUi;
import org.junit.jupiter.api.Test;

class ClosedWindowTest {
    private final InlineUi ui = new InlineUi();
    private final Deque<Runnable> queued = new ArrayDeque<>();
    private final BackgroundWork work = new BackgroundWork(queued::add, ui);
    private final SimpleObjectProperty<Boolean> measuring = new SimpleObjectProperty<>(true);
    private final List<String> ended = new ArrayList<>();
    private final ClosedWindow closed = new ClosedWindow(measuring, work, ui, () -> ended.add("ended"));

    @Test
    void theProgramEndsAfterTheExperimentAndItsWork() {
        closed.begin();
        assertThat(closed.isClosed()).isTrue();
        assertThat(ui.running()).as("no timer while it measures").isZero();
        work.run(WindowWork.EXPORT, () -> "file", done -> {}, failure -> {});
        measuring.set(false);
        ui.tick();
        assertThat(ended).as("work waits").isEmpty();
        queued.remove().run();
        ui.tick();
        assertThat(ended).containsExactly("ended");
        assertThat(ui.running()).isZero();
    }

    @Test
    void aSuiteGoesOnWithItsNextExperiment() {
        closed.begin();
        measuring.set(false);
        measuring.set(true);
        ui.tick();
        assertThat(ended).isEmpty();
    }

    @Test
    void aWindowThatIsShownAgainStays() {
        closed.begin();
        closed.end();
        measuring.set(false);
        ui.tick();
        assertThat(ended).isEmpty();
        assertThat(closed.isClosed()).isFalse();
    }
}
