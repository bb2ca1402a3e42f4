package org.inferometer.units;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A lock-free mailbox: any thread posts; one thread takes all messages in order and sleeps while there are none.
///
/// Posting never blocks. Messages of one sender keep their order.
public final class Mailbox<M> {
    /// About ten microseconds: shorter than a thread wake-up, too short to delay a kernel.
    private static final int SPINS = 200;

    private final Envelope<M> empty = new Envelope<>(null, null);
    private final Envelope<M> closed = new Envelope<>(null, null);
    private final AtomicReference<Envelope<M>> newest = new AtomicReference<>(empty);
    private volatile @Nullable Thread sleeper;

    /// Posts a message; false if the mailbox is closed.
    public boolean post(M message) {
        while (true) {
            Envelope<M> top = newest.get();
            if (top == closed) {
                return false;
            }
            if (newest.compareAndSet(top, new Envelope<>(message, top))) {
                Thread asleep = sleeper;
                if (asleep != null) {
                    LockSupport.unpark(asleep);
                }
                return true;
            }
        }
    }

    /// Waits for a message for at most this long; may return early without one. For the taking thread only.
    public void await(long nanos) {
        for (int i = 0; i < SPINS; i++) {
            if (newest.get() != empty) {
                return;
            }
            Thread.onSpinWait();
        }
        sleeper = Thread.currentThread();
        // Checked again: either a sender sees the sleeper, or this thread sees its message.
        if (newest.get() == empty) {
            LockSupport.parkNanos(this, nanos);
        }
        sleeper = null;
    }

    /// Takes all messages, oldest first. For the taking thread only.
    public void take(Consumer<M> taker) {
        if (newest.get() != empty) {
            hand(newest.getAndSet(empty), taker);
        }
    }

    /// Closes the mailbox and takes the last messages. For the taking thread only.
    public void close(Consumer<M> taker) {
        hand(newest.getAndSet(closed), taker);
    }

    private static <M> void hand(Envelope<M> newest, Consumer<M> taker) {
        Envelope<M> oldest = null;
        Envelope<M> at = newest;
        while (at != null && at.message != null) {
            Envelope<M> older = at.older;
            at.older = oldest;
            oldest = at;
            at = older;
        }
        for (Envelope<M> envelope = oldest; envelope != null; envelope = envelope.older) {
            M message = envelope.message;
            if (message != null) {
                taker.accept(message);
            }
        }
    }

    /// A message; without one it marks the bottom. Taking reverses `older`.
    private static final class Envelope<M> {
        private final @Nullable M message;
        private @Nullable Envelope<M> older;

        private Envelope(@Nullable M message, @Nullable Envelope<M> older) {
            this.message = message;
            this.older = older;
        }
    }
}
