package org.inferometer.measurement;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunObservations.Setup;
import org.inferometer.record.StepReport;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.PoolId;
import org.jspecify.annotations.Nullable;

/// The use of one lane in the window, from measured times.
///
/// @param lane its number
/// @param role its kind of work
/// @param pool the KV pool it works in, or copies into
/// @param threads its threads; absent if unknown or not CPU threads
/// @param steps steps that started inside the window
/// @param busyShare time inside the window in which a step of this lane ran / window
/// @param kernelShare kernel time / step time of its measured steps; absent where kernels are not timed
/// @param rowsPerStep mean requests in its measured steps; absent without steps and on a lane that copies
/// @param movedBytes bytes of keys and values that its measured steps copied
public record LaneUse(LaneId lane, Lane.Role role, PoolId pool, @Nullable Integer threads, long steps, double busyShare,
        @Nullable Double kernelShare, @Nullable Double rowsPerStep, long movedBytes) {
    /// The lanes of a run, by index; none where the run has no window or its lanes are not known.
    public static List<LaneUse> of(RunObservations observations) {
        Optional<RunWindow> window = RunWindow.of(observations.requests());
        List<LaneUse> uses = new ArrayList<>();
        if (window.isPresent()) {
            List<Tally> tallies = observations.setup().lanes().stream().map(lane -> new Tally()).toList();
            for (StepReport step : observations.steps()) {
                if (observations.setup().lane(step.lane()).isPresent()) {
                    tallies.get(step.lane().index()).add(step, window.get());
                }
            }
            for (Lane lane : observations.setup().lanes()) {
                uses.add(tallies.get(lane.id().index()).use(lane, observations.setup(), window.get()));
            }
        }
        return List.copyOf(uses);
    }

    /// Kernel time as a share of step time, where kernels are timed.
    public Optional<Double> kernels() {
        return Optional.ofNullable(kernelShare);
    }

    /// Mean requests in a step, where it computed any.
    public Optional<Double> rows() {
        return Optional.ofNullable(rowsPerStep);
    }

    private static final class Tally {
        private long steps;
        private long rows;
        private long busyNanos;
        private long stepNanos;
        private long kernelNanos;
        private long movedBytes;

        private void add(StepReport step, RunWindow window) {
            busyNanos += window.overlapNanos(step.startNanos(), step.endNanos());
            if (window.contains(step.startNanos())) {
                steps++;
                rows += step.slices().size();
                stepNanos += step.endNanos() - step.startNanos();
                kernelNanos += step.kernelNanos();
                movedBytes += step.movedBytes();
            }
        }

        private LaneUse use(Lane lane, Setup setup, RunWindow window) {
            int index = lane.id().index();
            return new LaneUse(lane.id(), lane.role(), lane.pool(),
                    index < setup.laneThreads().size() ? setup.laneThreads().get(index) : null, steps,
                    (double) busyNanos / window.lengthNanos(),
                    kernelNanos > 0 && stepNanos > 0 ? (double) kernelNanos / stepNanos : null,
                    steps > 0 && lane.role() != Lane.Role.TRANSFER ? (double) rows / steps : null, movedBytes);
        }
    }
}
