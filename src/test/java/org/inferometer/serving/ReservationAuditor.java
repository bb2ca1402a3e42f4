package org.inferometer.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.execution.LaneJob.KvTransfer;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.scheduling.CompletedWork;
import org.inferometer.scheduling.Decision;
import org.inferometer.scheduling.EngineView;
import org.inferometer.scheduling.KvReservation;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.PoolId;
import org.inferometer.scheduling.RequestProgress;
import org.inferometer.scheduling.Scheduler;

/// Remembers what the trial behind each plan came to and compares it with the books once the plan is applied, which is before the
/// model is asked.
final class ReservationAuditor implements Scheduler, StepModel {
    private static final int UNKNOWN = -1;

    private final Scheduler watched;
    private final StepModel model;
    private final Map<PoolId, KvReservation> trials = new HashMap<>();
    private EngineSetup setup;
    private EngineCore core;
    private int freeAfterwards = UNKNOWN;

    ReservationAuditor(Scheduler watched, StepModel model) {
        this.watched = watched;
        this.model = model;
    }

    void watch(EngineSetup engine, EngineCore books) {
        setup = engine;
        core = books;
    }

    @Override
    public Decision decide(Lane lane, EngineView view) {
        trials.clear();
        Decision decision = watched.decide(lane, new WatchedView(view, trials));
        freeAfterwards = UNKNOWN;
        if (decision instanceof Decision.Run run) {
            KvReservation trial = trials.get(run.plan().pool());
            if (trial != null && trial.plan().equals(run.plan())) {
                freeAfterwards = trial.freeBlocks();
            }
        }
        return decision;
    }

    @Override
    public StepOutcome run(Lane lane, Step step, long startNanos) {
        compare(lane);
        return model.run(lane, step, startNanos);
    }

    @Override
    public StepOutcome transfer(Lane lane, KvTransfer transfer, long startNanos) {
        compare(lane);
        return model.transfer(lane, transfer, startNanos);
    }

    private void compare(Lane lane) {
        if (freeAfterwards != UNKNOWN) {
            int blocks = setup.pools().get(lane.pool().index()).blocks();
            assertThat(blocks - core.heldBlocks(lane.pool())).as("free blocks").isEqualTo(freeAfterwards);
        }
    }

    @Override
    public List<String> faults(Limits limits, int promptTokens, int totalPositions) {
        return watched.faults(limits, promptTokens, totalPositions);
    }

    @Override
    public boolean reusesPrefixes() {
        return watched.reusesPrefixes();
    }

    @Override
    public boolean decidesAhead() {
        return watched.decidesAhead();
    }

    @Override
    public void observe(CompletedWork outcome) {
        watched.observe(outcome);
    }

    private record WatchedView(EngineView view, Map<PoolId, KvReservation> trials) implements EngineView {
        @Override
        public long nowNanos() {
            return view.nowNanos();
        }

        @Override
        public Iterable<RequestProgress> waiting() {
            return view.waiting();
        }

        @Override
        public int waitingCount() {
            return view.waitingCount();
        }

        @Override
        public List<RequestProgress> running() {
            return view.running();
        }

        @Override
        public boolean arrivalsEnded() {
            return view.arrivalsEnded();
        }

        @Override
        public Limits limits() {
            return view.limits();
        }

        @Override
        public KvReservation reserveKv(PoolId pool) {
            KvReservation trial = view.reserveKv(pool);
            trials.put(pool, trial);
            return trial;
        }

        @Override
        public MemoryState memory() {
            return view.memory();
        }

        @Override
        public long[] laneBusyNanos() {
            return view.laneBusyNanos();
        }
    }
}
