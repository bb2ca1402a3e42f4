package org.inferometer.simulation;

/// A measured step with the times around it.
///
/// @param nanos from its start to its end
/// @param otherLanes other lanes that computed meanwhile, on average over the step
/// @param deliveryNanos from its end until its first token was delivered; [#UNKNOWN] where it yields none
/// @param startDelayNanos from the delivery until the next step of the lane started; [#UNKNOWN] where that waited for something else
public record ObservedStep(StepWork work, long nanos, double otherLanes, long deliveryNanos, long startDelayNanos) {
    /// A time that cannot be told.
    public static final long UNKNOWN = -1;
}
