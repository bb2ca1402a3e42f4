package org.inferometer.ui.goals;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javafx.application.Platform;
import javafx.scene.Scene;
import org.inferometer.units.Clock;

/// Acts on the JavaFX thread from another one, and measures how long that thread takes to answer.
final class FxProbe {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final long PAUSE_NANOS = 2_000_000;
    private final Clock clock;

    FxProbe(Clock clock) {
        this.clock = clock;
    }

    /// When a condition was first seen to hold.
    ///
    /// @param nanos of the clock
    /// @param stallNanos the longest time that the JavaFX thread took to answer until then
    record Reached(long nanos, long stallNanos) {}

    /// Runs an action on the JavaFX thread and waits for its result.
    ///
    /// @throws IllegalStateException if it fails, or takes longer than five minutes
    <T> T call(Callable<T> action) throws InterruptedException {
        FutureTask<T> task = new FutureTask<>(action);
        Platform.runLater(task);
        try {
            return task.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException("An action on the window failed: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException("The window did not answer within five minutes.", e);
        }
    }

    /// Runs an action on the JavaFX thread and waits for its end.
    void run(Runnable action) throws InterruptedException {
        call(() -> {
            action.run();
            return true;
        });
    }

    /// Asks for a condition on the JavaFX thread again and again, 2 ms after each answer.
    ///
    /// @throws IllegalStateException if it does not hold within five minutes
    Reached until(String what, BooleanSupplier condition) throws InterruptedException {
        long began = clock.nanos();
        long longest = 0;
        while (true) {
            long asked = clock.nanos();
            boolean holds = call(condition::getAsBoolean);
            long now = clock.nanos();
            longest = Math.max(longest, now - asked);
            if (holds) {
                return new Reached(now, longest);
            }
            if (now - began > LIMIT.toNanos()) {
                throw new IllegalStateException("The window did not reach this state within five minutes: " + what);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /// Waits until the scene was laid out and handed to the renderer once more.
    ///
    /// @return instant of the clock
    long pulse(Scene scene) throws InterruptedException {
        CountDownLatch drawn = new CountDownLatch(1);
        Platform.runLater(() -> {
            Runnable[] listener = new Runnable[1];
            listener[0] = () -> {
                scene.removePostLayoutPulseListener(listener[0]);
                // Queued events run after the pulse.
                Platform.runLater(drawn::countDown);
            };
            scene.addPostLayoutPulseListener(listener[0]);
            Platform.requestNextPulse();
        });
        if (!drawn.await(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("The window did not draw within five minutes.");
        }
        return clock.nanos();
    }

    /// Waits until the thread answers within a limit three times in a row.
    ///
    /// @return instant of the first of these answers
    long calm(Duration limit) throws InterruptedException {
        long first = 0;
        int calm = 0;
        while (calm < 3) {
            long asked = clock.nanos();
            long answered = call(clock::nanos);
            calm = answered - asked < limit.toNanos() ? calm + 1 : 0;
            first = calm == 1 ? answered : first;
        }
        return first;
    }

    Clock clock() {
        return clock;
    }
}
