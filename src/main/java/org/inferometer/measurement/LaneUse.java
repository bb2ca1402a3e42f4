package org.inferometer.measurement;

import java.util.List;
import java.util.Optional;
import org.inferometer.record.RunObservations;
import org.inferometer.record.StepReport;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneId;

/// The use of one lane in the window of the rates.
///
/// @param busyShare time inside the window in which a step of this lane ran / window
public record LaneUse(LaneId lane, Lane.Role role, double busyShare) {
    /// The lanes of a run, by index; none if the run has no window or its lanes are unknown.
    public static List<LaneUse> of(RunObservations observations) {
        Optional<RunWindow> window = RateWindow.of(observations.requests().measured(), observations.setup().load());
        List<Lane> lanes = observations.setup().lanes();
        if (window.isEmpty()) {
            return List.of();
        }
        long[] busyNanos = new long[lanes.size()];
        for (StepReport step : observations.steps()) {
            if (observations.setup().lane(step.lane()).isPresent()) {
                busyNanos[step.lane().index()] += window.get().overlapNanos(step.startNanos(), step.endNanos());
            }
        }
        return lanes.stream().map(lane -> new LaneUse(lane.id(), lane.role(),
                (double) busyNanos[lane.id().index()] / window.get().lengthNanos())).toList();
    }
}
