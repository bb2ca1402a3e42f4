package org.inferometer.ui.designer;

/// The arrival processes the designer offers.
public enum ArrivalKind {
    /// Closed loop: a fixed concurrency.
    CLOSED,
    /// Poisson arrivals at a mean rate.
    POISSON,
    /// Arrivals without fields in the form; kept until another process is chosen.
    AS_LOADED
}
