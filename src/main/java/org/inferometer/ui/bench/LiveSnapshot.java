package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.counted;
import static org.inferometer.ui.fx.Messages.text;

import java.util.List;
import java.util.Optional;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.Subject;
import org.inferometer.record.Phase;
import org.inferometer.record.RunMarker;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.run.WorkerFrame;
import org.inferometer.ui.bench.RunOutlines.RunOutline;
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
/// @param outlines finished runs behind the current one, oldest first
/// @param markers of the current run
public record LiveSnapshot(String building, double buildFraction, int current, List<RunLine> runs, boolean openEnded,
        Phase phase, long phaseStartNanos, WorkerFrame.@Nullable Live latest, List<WorkerFrame.Live> frames,
        double elapsedSeconds, int sampleEveryMillis, long droppedSamples, List<RunOutline> outlines,
        List<RunMarker> markers) {

    /// The newest frame, if any.
    public Optional<WorkerFrame.Live> newest() {
        return Optional.ofNullable(latest);
    }

    /// The current run, if one has begun.
    public Optional<RunLine> currentRun() {
        return current >= 0 && current < runs.size() ? Optional.of(runs.get(current)) : Optional.empty();
    }

    /// When the measured phase began, since the run's anchor; before it, the newest frame.
    long zeroNanos() {
        return phase == Phase.MEASURE || phase == Phase.ANALYSE || latest == null ? phaseStartNanos : latest.nanos();
    }

    /// "loading weights of tiny-int4", "warm-up, 3 of 8 requests"; empty while the charts move.
    String step() {
        if (!building.isEmpty()) {
            return text("live.building", building, Math.round(buildFraction * 100));
        }
        return currentRun().map(run -> switch (run.state()) {
            case RUNNING -> ofPhase(run);
            case PLANNED -> text("live.step.next", current + 1);
            case ENDED, FAILED ->
                openEnded || current + 1 < runs.size() ? text("live.step.next", current + 2) : text("live.step.result");
        }).orElseGet(() -> text("live.step.plan"));
    }

    private String ofPhase(RunLine run) {
        return switch (phase) {
            case LOAD -> switch (run.cell().subject()) {
                case Subject.EngineSubject engine -> text("live.step.load", engine.engine());
                case Subject.TargetSubject target -> text("live.step.open", target.system());
            };
            case WARM_UP -> newest().filter(live -> live.phase() == Phase.WARM_UP)
                    .map(live -> live.phaseTotal() > 0 ? text("live.step.warm-up", live.phaseDone(), live.phaseTotal())
                            : counted("live.step.warm-up-open", live.phaseDone()))
                    .orElseGet(() -> text("live.warm-up"));
            case MEASURE ->
                newest().filter(live -> live.phase() == Phase.MEASURE).isPresent() ? "" : text("live.step.measure");
            case ANALYSE -> text("live.step.analyse");
        };
    }

    /// The same experiment with another run as its current one.
    LiveSnapshot with(Phase ofRun, long startNanos, WorkerFrame.@Nullable Live newest, List<WorkerFrame.Live> others) {
        return new LiveSnapshot(building, buildFraction, current, runs, openEnded, ofRun, startNanos, newest, others,
                elapsedSeconds, sampleEveryMillis, droppedSamples, outlines, markers);
    }

    public enum RunState {
        PLANNED, RUNNING, ENDED, FAILED
    }

    /// @param name what distinguishes its cell from the others: "tiny-int4 · continuous"
    /// @param repetition from 1
    /// @param tokensPerSecond live mean of the measured phase; NaN before
    /// @param markers where its markers are, as shares of the run
    /// @param rates tokens per second over the measured phase, at most 48, for a small line
    public record RunLine(Cell cell, String name, SeriesStyle style, int repetition, RunState state,
            double tokensPerSecond, List<Double> rates, List<Double> markers) {
        /// The cell: "tiny-int4 · continuous · short".
        public String label() {
            return cell.label();
        }
    }
}
