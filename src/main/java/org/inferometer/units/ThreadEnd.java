package org.inferometer.units;

/// Waits for a thread to end, regardless of interrupts.
public final class ThreadEnd {
    private ThreadEnd() {}

    /// Returns after the thread has ended; at once if called on that thread. Interrupts are restored afterwards.
    public static void await(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive() && Thread.currentThread() != thread) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
