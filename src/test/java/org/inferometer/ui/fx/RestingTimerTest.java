package org.inferometer.ui.fx;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.glass.ui.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class RestingTimerTest {
    private final List<String> calls = new ArrayList<>();

    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    @Test
    void theTimerUnderItRunsOnlyBetweenPauses() throws Exception {
        WaitForAsyncUtils.asyncFx(() -> {
            RestingTimer timer = new RestingTimer(() -> {}, SystemTimer::new);
            timer.start(16);
            timer.resume();
            timer.pause();
            timer.pause();
            timer.resume();
            timer.stop();
            timer.resume();
            return null;
        }).get(20, TimeUnit.SECONDS);
        assertThat(calls).containsExactly("start 16", "stop", "start 16", "stop");
    }

    @Test
    void otherToolkitsKeepTheirTimer() throws Exception {
        // The tests draw without a screen; a fault would end their pulses.
        boolean rests = WaitForAsyncUtils.asyncFx(RestingTimer::install).get(20, TimeUnit.SECONDS);
        WaitForAsyncUtils.waitForFxEvents();
        assertThat(rests).isFalse();
    }

    /// Notes what it is asked for.
    private final class SystemTimer extends Timer {
        private SystemTimer(Runnable pulse) {
            super(pulse);
        }

        @Override
        protected long _start(Runnable pulse) {
            return _start(pulse, 0);
        }

        @Override
        protected long _start(Runnable pulse, int period) {
            calls.add("start " + period);
            return 1;
        }

        @Override
        protected void _stop(long timer) {
            calls.add("stop");
        }

        @Override
        protected void _pause(long timer) {
            calls.add("pause");
        }

        @Override
        protected void _resume(long timer) {
            calls.add("resume");
        }
    }
}
