package org.inferometer.ui.fx;

import com.sun.glass.ui.Application;
import com.sun.glass.ui.Timer;
import com.sun.javafx.tk.Toolkit;
import java.lang.System.Logger.Level;
import java.lang.reflect.Field;
import java.util.function.Function;

/// The timer of JavaFX's pulses, which rests while nothing moves (docs/decisions/0060).
///
/// The toolkit pauses its timer after 250 ms without a change and resumes it with the next. On Linux its timer ignores both and wakes the
/// JavaFX thread 60 times a second. This one ends the timer under it and starts it again.
public final class RestingTimer extends Timer {
    private static final String SYSTEM_TIMER = "com.sun.glass.ui.gtk.GtkTimer";
    private static final long STARTED = 1;
    private final Timer under;
    private int periodMillis;

    /// @param pulse called with each period
    /// @param timers makes the timer under it
    RestingTimer(Runnable pulse, Function<Runnable, Timer> timers) {
        super(pulse);
        under = timers.apply(pulse);
    }

    /// Gives the running toolkit such a timer if its own does not rest. Called on the JavaFX thread. The fields of the toolkit are its own: where they
    /// are not found, all stays as it was.
    ///
    /// @return whether the toolkit's timer rests now
    public static boolean install() {
        try {
            Toolkit toolkit = Toolkit.getToolkit();
            Field timer = toolkit.getClass().getDeclaredField("pulseTimer");
            Field pulse = toolkit.getClass().getDeclaredField("timerRunnable");
            timer.setAccessible(true);
            pulse.setAccessible(true);
            if (!(timer.get(toolkit) instanceof Timer old) || !old.getClass().getName().equals(SYSTEM_TIMER)) {
                return false;
            }
            RestingTimer resting =
                    new RestingTimer((Runnable) pulse.get(toolkit), Application.GetApplication()::createTimer);
            Field interval = toolkit.getClass().getDeclaredField("PULSE_INTERVAL");
            interval.setAccessible(true);
            boolean started = old.isRunning();
            old.stop();
            timer.set(toolkit, resting);
            if (started) {
                resting.start(interval.getInt(toolkit));
            }
            return true;
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            System.getLogger(RestingTimer.class.getName()).log(Level.DEBUG, "The pulse timer does not rest", e);
            return false;
        }
    }

    @Override
    protected long _start(Runnable pulse) {
        under.start();
        return STARTED;
    }

    @Override
    protected long _start(Runnable pulse, int period) {
        periodMillis = period;
        under.start(period);
        return STARTED;
    }

    @Override
    protected void _stop(long timer) {
        under.stop();
    }

    @Override
    protected void _pause(long timer) {
        under.stop();
    }

    @Override
    protected void _resume(long timer) {
        if (!under.isRunning()) {
            under.start(periodMillis);
        }
    }
}
