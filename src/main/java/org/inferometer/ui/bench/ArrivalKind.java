package org.inferometer.ui.bench;

/// The arrival processes the designer offers.
public enum ArrivalKind {
    /// A fixed number in flight.
    CLOSED,
    /// Independent arrivals at a mean rate.
    POISSON
}
