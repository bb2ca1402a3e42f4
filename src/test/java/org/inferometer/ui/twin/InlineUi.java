package org.inferometer.ui.twin;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.Ticks;
import org.inferometer.ui.fx.UiThread;

/// The UI thread, the background and the clockwork of view-model tests: everything runs inline, beats come by hand.
public final class InlineUi implements UiThread, Ticks {
    private final List<Runnable> beats = new ArrayList<>();

    @Override
    public void later(Runnable action) {
        action.run();
    }

    @Override
    public boolean current() {
        return true;
    }

    @Override
    public Beat every(Duration period, Runnable action) {
        beats.add(action);
        return () -> beats.remove(action);
    }

    /// Beats once.
    public void tick() {
        List.copyOf(beats).forEach(Runnable::run);
    }

    /// How many metronomes run.
    public int running() {
        return beats.size();
    }

    /// Background work that runs at once.
    public BackgroundWork work() {
        return new BackgroundWork(Runnable::run, this);
    }
}
