package org.inferometer.ui.timeline;

/// A step or request that is hovered or pinned.
public sealed interface TimelineMark {
    /// Index of the shown run, from 0.
    int panel();

    /// A step.
    ///
    /// @param lane index among the run's lanes
    /// @param span index in the lane's track
    record OfStep(int panel, int lane, int span) implements TimelineMark {}

    /// A request.
    ///
    /// @param item index in the run's timeline
    record OfRequest(int panel, int item) implements TimelineMark {}
}
