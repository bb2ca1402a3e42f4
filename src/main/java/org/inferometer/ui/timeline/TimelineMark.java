package org.inferometer.ui.timeline;

/// Something that the pointer or the keys are on.
public sealed interface TimelineMark {
    /// Which of the runs that are shown, from 0.
    int panel();

    /// A step.
    ///
    /// @param lane index among the run's lanes
    /// @param span index in the lane's track
    record OfStep(int panel, int lane, int span) implements TimelineMark {}

    /// A request.
    ///
    /// @param item as the run's timeline counts
    record OfRequest(int panel, int item) implements TimelineMark {}
}
