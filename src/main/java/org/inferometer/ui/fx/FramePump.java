package org.inferometer.ui.fx;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Passes the newest frame from any thread to the UI thread at a fixed rate; older frames are dropped.
///
/// While the view is hidden nothing is applied; the newest frame waits and is applied when the view shows again.
/// [#offer] may be called from any thread; everything else belongs to the UI thread.
public final class FramePump<T> {
    private final AtomicReference<@Nullable T> newest = new AtomicReference<>();
    private final AtomicLong replaced = new AtomicLong();
    private final Ticks ticks;
    private final Duration period;
    private final Consumer<T> apply;
    private boolean showing = true;
    private Ticks.@Nullable Beat beat;

    /// @param period time between two applied frames
    /// @param apply draws a frame, on the UI thread
    public FramePump(Ticks ticks, Duration period, Consumer<T> apply) {
        this.ticks = ticks;
        this.period = period;
        this.apply = apply;
    }

    /// Replaces the frame that was not applied yet.
    public void offer(T frame) {
        if (newest.getAndSet(frame) != null) {
            replaced.incrementAndGet();
        }
    }

    /// Starts the timer.
    public void start() {
        if (beat == null) {
            beat = ticks.every(period, this::applyNewest);
        }
    }

    /// Stops the timer and applies the last frame.
    public void stop() {
        if (beat != null) {
            beat.stop();
            beat = null;
        }
        applyNewest();
    }

    /// Sets whether the view is visible.
    public void setShowing(boolean visible) {
        boolean appears = visible && !showing;
        showing = visible;
        if (appears) {
            applyNewest();
        }
    }

    /// Frames that were replaced before they were applied.
    public long replacedFrames() {
        return replaced.get();
    }

    private void applyNewest() {
        if (!showing) {
            return;
        }
        T frame = newest.getAndSet(null);
        if (frame != null) {
            apply.accept(frame);
        }
    }
}
