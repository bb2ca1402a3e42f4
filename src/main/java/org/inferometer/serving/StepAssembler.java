package org.inferometer.serving;

import org.inferometer.execution.KvTransfer;
import org.inferometer.execution.Step;
import org.inferometer.scheduling.KvPlan;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.Work;
import org.inferometer.target.RequestListener;
import org.inferometer.workload.RequestId;

/// Turns decisions into flights: applies their plans to the books, tells who was let in and who lost its blocks, and numbers steps
/// and transfers in one row.
final class StepAssembler {
    private final EngineState ledger;
    private final Limits limits;
    private final RequestListener requests;
    private final EngineListener engine;
    private long flights;

    StepAssembler(EngineState ledger, Limits limits, RequestListener requests, EngineListener engine) {
        this.ledger = ledger;
        this.limits = limits;
        this.requests = requests;
        this.engine = engine;
    }

    /// Applies a plan that only takes blocks away.
    ///
    /// @throws ContractViolation where it does anything else
    void evict(KvPlan plan, long nanos) {
        if (plan.evicted().isEmpty() || !plan.reserved().isEmpty()) {
            throw new ContractViolation("An eviction must evict and must not reserve.");
        }
        takeAway(plan, nanos);
    }

    /// Applies the plan and puts a step's requests in flight.
    ///
    /// @throws ContractViolation for the first thing that breaks the contract
    InFlightStep.Computing compute(Lane lane, Work.Compute work, KvPlan plan, String reason, long nanos) {
        requireOwnPool(lane, plan);
        takeAway(plan, nanos);
        for (KvPlan.Reservation reservation : plan.reserved()) {
            if (reservation.cachedBlocks() != 0) {
                ledger.adopt(lane, reservation);
            }
        }
        for (KvPlan.Reservation reservation : plan.reserved()) {
            boolean admission = ledger.isWaiting(reservation.request());
            LiveRequest request = ledger.reserve(lane, reservation);
            if (admission) {
                tellAdmission(request, lane, nanos);
            }
        }
        StepAssembly assembly = new StepAssembly(ledger, lane, work.slices().size());
        Step step = assembly.board(flights++, work, limits);
        ledger.stepStarts();
        return new InFlightStep.Computing(lane, work, step, assembly.riders(), assembly.counts(), scene(lane), reason);
    }

    /// Applies the plan and puts a request in flight to another pool.
    ///
    /// @throws ContractViolation for the first thing that breaks the contract
    InFlightStep.Moving move(Lane lane, Work.Move work, KvPlan plan, String reason, long nanos) {
        requireOwnPool(lane, plan);
        takeAway(plan, nanos);
        LiveRequest request = ledger.startMove(lane, work, plan.reserved());
        ledger.stepStarts();
        KvTransfer transfer = ledger.transfer(flights++, request);
        return new InFlightStep.Moving(lane, work, transfer, request, scene(lane), reason);
    }

    private void takeAway(KvPlan plan, long nanos) {
        for (RequestId id : plan.evicted()) {
            engine.preempted(id, nanos, ledger.evict(id, plan.pool()));
        }
    }

    private void tellAdmission(LiveRequest request, Lane lane, long nanos) {
        boolean again = request.admissionTold;
        if (!again) {
            request.admissionTold = true;
            requests.admitted(request.id(), nanos);
        }
        engine.admitted(request.id(), lane.id(), nanos, again, request.computed());
    }

    private InFlightStep.Scene scene(Lane lane) {
        return new InFlightStep.Scene(ledger.running().size(), ledger.waitingCount(), ledger.heldBlocks(lane.pool()));
    }

    private static void requireOwnPool(Lane lane, KvPlan plan) {
        if (!plan.pool().equals(lane.pool())) {
            throw new ContractViolation("A step of lane " + lane.id().index() + " rests on a plan for another pool.");
        }
    }
}
