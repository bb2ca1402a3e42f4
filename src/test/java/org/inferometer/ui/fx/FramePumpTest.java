package org.inferometer.ui.fx;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.ui.twin.InlineUi;
import org.junit.jupiter.api.Test;

class FramePumpTest {
    private final InlineUi ui = new InlineUi();
    private final List<Integer> applied = new ArrayList<>();
    private final FramePump<Integer> pump = new FramePump<>(ui, Duration.ofMillis(500), applied::add);

    @Test
    void onlyTheNewestFrameIsApplied() {
        pump.start();
        pump.offer(1);
        pump.offer(2);
        pump.offer(3);
        ui.tick();
        assertThat(applied).containsExactly(3);
        assertThat(pump.replacedFrames()).isEqualTo(2);
    }

    @Test
    void aFrameIsAppliedOnce() {
        pump.start();
        pump.offer(1);
        ui.tick();
        ui.tick();
        assertThat(applied).containsExactly(1);
    }

    @Test
    void aHiddenViewDoesNotDrawUntilItShowsAgain() {
        pump.start();
        pump.setShowing(false);
        pump.offer(1);
        ui.tick();
        assertThat(applied).isEmpty();
        pump.setShowing(true);
        assertThat(applied).containsExactly(1);
    }

    @Test
    void stoppingAppliesWhatIsLeftAndStopsTheClock() {
        pump.start();
        pump.start();
        assertThat(ui.running()).isEqualTo(1);
        pump.offer(7);
        pump.stop();
        assertThat(applied).containsExactly(7);
        assertThat(ui.running()).isZero();
    }
}
