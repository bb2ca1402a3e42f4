package org.inferometer.units;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ThreadEndTest {
    @Test
    void anInterruptIsKeptForTheCallerAndDoesNotShortenTheWait() throws InterruptedException {
        CountDownLatch mayEnd = new CountDownLatch(1);
        Thread awaited = Thread.ofPlatform().daemon().start(() -> awaitUninterrupted(mayEnd));
        AtomicBoolean aliveAfterwards = new AtomicBoolean(true);
        AtomicBoolean interruptKept = new AtomicBoolean();
        Thread waiting = Thread.ofPlatform().daemon().start(() -> {
            Thread.currentThread().interrupt();
            ThreadEnd.await(awaited);
            aliveAfterwards.set(awaited.isAlive());
            interruptKept.set(Thread.interrupted());
        });
        // Whoever waits for a thread that has not ended sleeps, once the interrupt is taken note of.
        while (waiting.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        mayEnd.countDown();
        waiting.join();

        assertThat(aliveAfterwards).isFalse();
        assertThat(interruptKept).isTrue();
    }

    @Test
    void aThreadDoesNotWaitForItself() throws InterruptedException {
        Thread itself = Thread.ofPlatform().daemon().start(() -> ThreadEnd.await(Thread.currentThread()));
        itself.join(60_000);

        assertThat(itself.isAlive()).isFalse();
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }
}
