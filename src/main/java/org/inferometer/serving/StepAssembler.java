package org.inferometer.serving;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.execution.LaneJob.KvTransfer;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.record.StepSlices;
import org.inferometer.scheduling.KvPlan;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.Slice;
import org.inferometer.scheduling.Work;
import org.inferometer.target.RequestListener;
import org.inferometer.workload.RequestId;

/// Turns decisions into steps and transfers: applies their KV plans to the engine's state, reports admissions and preemptions, and
/// checks each slice against the state, the lane and the limits.
final class StepAssembler {
    private final EngineState state;
    private final Limits limits;
    private final RequestListener requests;
    private final EngineListener engine;
    private long nextNumber;

    StepAssembler(EngineState state, Limits limits, RequestListener requests, EngineListener engine) {
        this.state = state;
        this.limits = limits;
        this.requests = requests;
        this.engine = engine;
    }

    /// Applies a plan that only evicts.
    ///
    /// @throws ContractViolation if it evicts nothing or reserves blocks
    void preempt(KvPlan plan, long nanos) {
        if (plan.evicted().isEmpty() || !plan.allocations().isEmpty()) {
            throw new ContractViolation("An eviction must evict and must not reserve.");
        }
        evict(plan, nanos);
    }

    /// Applies the plan and schedules the slices of a step.
    ///
    /// @throws ContractViolation for the first breach of the contract
    InFlightStep schedule(Lane lane, Work.Compute work, KvPlan plan, String reason, long nanos) {
        return schedule(lane, work, plan, reason, nanos, false);
    }

    /// The same for a step that repeats the lane's running one; see [NextStep].
    ///
    /// @throws ContractViolation for the first breach of the contract
    InFlightStep queue(Lane lane, NextStep.Answer.Certain next, long nanos) {
        return schedule(lane, next.work(), next.plan(), next.reason() + "; queued", nanos, true);
    }

    private InFlightStep schedule(Lane lane, Work.Compute work, KvPlan plan, String reason, long nanos,
            boolean repeats) {
        requireOwnPool(lane, plan);
        evict(plan, nanos);
        for (KvPlan.Allocation allocation : plan.allocations()) {
            if (allocation.cachedBlocks() != 0) {
                state.adopt(lane, allocation);
            }
        }
        for (KvPlan.Allocation allocation : plan.allocations()) {
            boolean admission = state.isWaiting(allocation.request());
            LiveRequest request = state.reserve(lane, allocation);
            if (admission) {
                reportAdmission(request, lane, nanos);
            }
        }
        Batch batch = new Batch(lane, work.slices().size(), repeats);
        batch.schedule(work);
        long number = nextNumber++;
        state.stepStarted();
        Step step = new Step(number, batch.slices, work.paddingRows(), false, repeats);
        return new InFlightStep(number, lane, work, step, batch.requests, StepSlices.of(work.slices()),
                batch.counts(work.paddingRows()), occupancy(lane), reason);
    }

    /// Applies the plan and starts the transfer of a request to another pool.
    ///
    /// @throws ContractViolation for the first breach of the contract
    InFlightStep transfer(Lane lane, Work.Transfer work, KvPlan plan, String reason, long nanos) {
        requireOwnPool(lane, plan);
        evict(plan, nanos);
        LiveRequest request = state.startTransfer(lane, work, plan.allocations());
        state.stepStarted();
        KvTransfer transfer = state.kvTransfer(nextNumber++, request);
        return new InFlightStep(transfer.number(), lane, work, transfer, List.of(request),
                StepSlices.of(work.request(), 0, transfer.positions()), InFlightStep.Counts.NONE, occupancy(lane),
                reason);
    }

    private void evict(KvPlan plan, long nanos) {
        for (RequestId id : plan.evicted()) {
            engine.preempted(id, nanos, state.evict(id, plan.pool()));
        }
    }

    private void reportAdmission(LiveRequest request, Lane lane, long nanos) {
        boolean again = request.admissionReported;
        if (!again) {
            request.admissionReported = true;
            requests.admitted(request.id(), nanos);
        }
        engine.admitted(request.id(), lane.id(), nanos, again, request.computed());
    }

    InFlightStep.Occupancy occupancy(Lane lane) {
        return new InFlightStep.Occupancy(state.running().size(), state.waitingCount(), state.heldBlocks(lane.pool()));
    }

    private static void requireOwnPool(Lane lane, KvPlan plan) {
        if (!plan.pool().equals(lane.pool())) {
            throw new ContractViolation(
                    "A step of lane " + lane.id().index() + " has a plan for KV pool " + plan.pool().index() + ".");
        }
    }

    /// The slices of one step.
    private final class Batch {
        private final Lane lane;
        private final boolean repeats;
        private final List<LiveRequest> requests;
        private final List<StepSlice> slices;
        private int prefillPositions;
        private int decodeRows;
        private int sampledSlices;

        private Batch(Lane lane, int rows, boolean repeats) {
            this.lane = lane;
            this.repeats = repeats;
            this.requests = new ArrayList<>(rows);
            this.slices = new ArrayList<>(rows);
        }

        /// Schedules all slices, or none.
        private void schedule(Work.Compute work) {
            try {
                for (Slice slice : work.slices()) {
                    schedule(slice);
                }
                check(work);
            } catch (ContractViolation e) {
                requests.forEach(LiveRequest::complete);
                throw e;
            }
        }

        private void schedule(Slice slice) {
            LiveRequest request = state.require(slice.request());
            boolean context = request.inContext();
            requireRole(context);
            state.schedule(lane, request, slice);
            requests.add(request);
            if (context) {
                prefillPositions += slice.count();
            } else {
                decodeRows += slice.count();
            }
            boolean sample = request.computed() == request.known();
            if (sample) {
                sampledSlices++;
            }
            int[] tokens = repeats ? new int[1] : request.tokens(slice.from(), slice.count());
            slices.add(new StepSlice(slice.from(), tokens, request.blocks.ids(), sample, request.request.sampling()));
        }

        private InFlightStep.Counts counts(int paddingRows) {
            return new InFlightStep.Counts(prefillPositions, decodeRows, paddingRows, sampledSlices);
        }

        private void check(Work.Compute work) {
            long positions = (long) prefillPositions + decodeRows + work.paddingRows();
            if (slices.isEmpty()) {
                throw new ContractViolation("A step has no slices.");
            }
            if (work.paddingRows() < 0) {
                throw new ContractViolation("A step has " + work.paddingRows() + " padding rows.");
            }
            if (slices.size() > limits.maxBatchRows()) {
                throw new ContractViolation(
                        "A step has " + slices.size() + " requests; the limit is " + limits.maxBatchRows() + ".");
            }
            if (positions > limits.maxStepPositions()) {
                throw new ContractViolation(
                        "A step has " + positions + " positions; the limit is " + limits.maxStepPositions() + ".");
            }
        }

        private void requireRole(boolean context) {
            boolean allowed = switch (lane.role()) {
                case ANY -> true;
                case PREFILL -> context;
                case DECODE -> !context;
                case TRANSFER -> false;
            };
            if (!allowed) {
                throw new ContractViolation("Lane " + lane.id().index() + " takes " + lane.role() + " work only.");
            }
        }
    }
}
