package org.inferometer.ui.designer;

/// The arrival processes the designer offers.
public enum ArrivalKind {
    /// A fixed number in flight.
    CLOSED,
    /// Independent arrivals at a mean rate.
    POISSON,
    /// The load's own, which the form has no fields for: it stays until another is chosen.
    AS_LOADED
}
