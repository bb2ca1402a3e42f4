package org.inferometer.ui.bench;

import java.util.List;
import java.util.Optional;
import org.inferometer.record.Phase;
import org.inferometer.run.WorkerFrame;
import org.jspecify.annotations.Nullable;

/// A running experiment at one instant. Immutable.
///
/// @param building the engine being built; empty for none
/// @param buildFraction 0 to 1
/// @param current index of the current run; -1 before the first
/// @param runs all planned runs; empty before the plan
/// @param openEnded whether more runs may follow (search)
/// @param phase of the current run
/// @param phaseStartNanos since the run's anchor; that of the measured phase during analysis
/// @param latest the newest frame of the current run
/// @param frames of the current run, oldest first, thinned
/// @param elapsedSeconds since the experiment started
/// @param sampleEveryMillis telemetry period
/// @param droppedSamples of the ended runs
public record LiveSnapshot(String building, double buildFraction, int current, List<RunLine> runs, boolean openEnded,
        Phase phase, long phaseStartNanos, WorkerFrame.@Nullable Live latest, List<WorkerFrame.Live> frames,
        double elapsedSeconds, int sampleEveryMillis, long droppedSamples, String lastLog) {

    /// The newest frame, if any.
    public Optional<WorkerFrame.Live> newest() {
        return Optional.ofNullable(latest);
    }

    /// State of a run.
    public enum RunState {
        PLANNED, RUNNING, ENDED, FAILED
    }

    /// @param label the cell: "tiny-int4 · continuous · short"
    /// @param repetition from 1
    /// @param tokensPerSecond live mean of the measured phase; NaN before
    public record RunLine(String label, int repetition, RunState state, double tokensPerSecond) {}
}
