package org.inferometer.units;

/// Waits for a thread to end, whatever interrupts the wait.
public final class ThreadEnd {
    private ThreadEnd() {}

    /// Returns once the thread has ended; at once on the thread itself. An interrupt is handed on afterwards.
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
