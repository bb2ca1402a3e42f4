package org.inferometer.ui.fx;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Carries the newest frame from any thread to the window at a steady, low rate: depth one, newest wins.
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

    /// Leaves a frame; one that was not applied yet is replaced.
    public void offer(T frame) {
        if (newest.getAndSet(frame) != null) {
            replaced.incrementAndGet();
        }
    }

    /// Starts to beat, unless it does already.
    public void start() {
        if (beat == null) {
            beat = ticks.every(period, this::applyNewest);
        }
    }

    /// Applies what is left, then stops to beat.
    public void stop() {
        if (beat != null) {
            beat.stop();
            beat = null;
        }
        applyNewest();
    }

    /// Tells whether the view can be seen.
    public void setShowing(boolean visible) {
        boolean appears = visible && !showing;
        showing = visible;
        if (appears) {
            applyNewest();
        }
    }

    /// Frames that a newer one replaced before they were drawn.
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
