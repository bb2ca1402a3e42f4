package org.inferometer.ui.timeline;

/// A step, a request or an instant of a row of values that is hovered or pinned.
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

    /// An instant of a counter or of the memory.
    ///
    /// @param row COUNTER or MEMORY
    /// @param index of the counter; 0 for the memory
    /// @param nanos of the run's clock
    record OfValue(int panel, TimelineSheet.SheetRowKind row, int index, long nanos) implements TimelineMark {}
}
