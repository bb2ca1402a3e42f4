package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.counted;
import static org.inferometer.ui.fx.Messages.text;

import org.inferometer.experiment.Subject;
import org.inferometer.record.Phase;

/// Names the step of an experiment that runs while nothing is measured.
final class LiveSteps {
    private LiveSteps() {}

    /// "loading weights of tiny-int4", "warm-up, 3 of 8 requests"; empty while the charts move.
    static String of(LiveSnapshot snapshot) {
        if (!snapshot.building().isEmpty()) {
            return text("live.building", snapshot.building(), Math.round(snapshot.buildFraction() * 100));
        }
        return snapshot.currentRun().map(run -> switch (run.state()) {
            case RUNNING -> ofPhase(snapshot, run);
            case PLANNED -> text("live.step.next", snapshot.current() + 1);
            case ENDED, FAILED -> snapshot.openEnded() || snapshot.current() + 1 < snapshot.runs().size()
                    ? text("live.step.next", snapshot.current() + 2) : text("live.step.result");
        }).orElseGet(() -> text("live.step.plan"));
    }

    private static String ofPhase(LiveSnapshot snapshot, LiveSnapshot.RunLine run) {
        return switch (snapshot.phase()) {
            case LOAD -> switch (run.cell().subject()) {
                case Subject.EngineSubject engine -> text("live.step.load", engine.engine());
                case Subject.TargetSubject target -> text("live.step.open", target.system());
            };
            case WARM_UP -> snapshot.newest().filter(live -> live.phase() == Phase.WARM_UP)
                    .map(live -> live.phaseTotal() > 0 ? text("live.step.warm-up", live.phaseDone(), live.phaseTotal())
                            : counted("live.step.warm-up-open", live.phaseDone()))
                    .orElseGet(() -> text("live.warm-up"));
            case MEASURE -> snapshot.newest().filter(live -> live.phase() == Phase.MEASURE).isPresent() ? ""
                    : text("live.step.measure");
            case ANALYSE -> text("live.step.analyse");
        };
    }
}
