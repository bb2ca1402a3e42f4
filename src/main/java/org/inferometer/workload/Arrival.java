package org.inferometer.workload;

/// When a request is due.
public sealed interface Arrival {
    /// Open loop: this long after the start of its phase, drawn before the run.
    record At(long offsetNanos) implements Arrival {}

    /// Closed loop: this long after a slot became free.
    record WhenFree(long thinkNanos) implements Arrival {}

    /// A later turn of a session: this long after the end of the previous turn, which precedes it in the workload.
    record AfterTurn(RequestId previous, long thinkNanos) implements Arrival {}
}
