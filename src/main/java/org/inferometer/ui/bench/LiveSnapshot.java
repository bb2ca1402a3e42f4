package org.inferometer.ui.bench;

import java.util.List;
import java.util.Optional;
import org.inferometer.record.Phase;
import org.inferometer.run.WorkerFrame;
import org.jspecify.annotations.Nullable;

/// An experiment under way, as it stood at one instant; immutable.
///
/// @param building the engine being built, empty when none is
/// @param buildFraction 0 to 1
/// @param current index of the run under way, -1 before the first
/// @param runs all planned runs; empty until the plan stands
/// @param openEnded whether more runs may follow, as in a search
/// @param phase of the run under way
/// @param phaseStartNanos since the run's anchor; of the measured phase while its figures are made
/// @param latest the newest frame of the run under way, absent before its first
/// @param frames the run's frames, oldest first, thinned when there are many
/// @param elapsedSeconds since the experiment was started
/// @param sampleEveryMillis telemetry period
/// @param droppedSamples of the runs that ended, known only then
public record LiveSnapshot(String building, double buildFraction, int current, List<RunLine> runs, boolean openEnded,
        Phase phase, long phaseStartNanos, WorkerFrame.@Nullable Live latest, List<WorkerFrame.Live> frames,
        double elapsedSeconds, int sampleEveryMillis, long droppedSamples, String lastLog) {

    /// The newest frame, where there is one.
    public Optional<WorkerFrame.Live> newest() {
        return Optional.ofNullable(latest);
    }

    /// How far a run is.
    public enum RunState {
        PLANNED, RUNNING, ENDED, FAILED
    }

    /// @param label the cell: "tiny-int4 · continuous · short"
    /// @param repetition from 1
    /// @param tokensPerSecond mean of the measured phase from live frames, NaN before there is one
    public record RunLine(String label, int repetition, RunState state, double tokensPerSecond) {}
}
