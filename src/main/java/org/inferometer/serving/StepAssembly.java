package org.inferometer.serving;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepSlice;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.Slice;
import org.inferometer.scheduling.Work;

/// Turns the slices of one decision into the step that the executor runs, checking each against the books, the lane and the
/// limits. Used once.
final class StepAssembly {
    private final EngineState ledger;
    private final Lane lane;
    private final List<LiveRequest> riders;
    private final List<StepSlice> slices;
    private int prefillPositions;
    private int decodeRows;
    private int sampled;

    /// What a step consists of.
    ///
    /// @param sampled slices after which a token is chosen
    record Counts(int prefillPositions, int decodeRows, int sampled) {}

    StepAssembly(EngineState ledger, Lane lane, int rows) {
        this.ledger = ledger;
        this.lane = lane;
        this.riders = new ArrayList<>(rows);
        this.slices = new ArrayList<>(rows);
    }

    /// Puts all slices in flight, or none.
    ///
    /// @throws ContractViolation for the first slice that breaks the contract
    Step board(long number, Work.Compute work, Limits limits) {
        try {
            for (Slice slice : work.slices()) {
                board(slice);
            }
            check(work, limits);
        } catch (ContractViolation e) {
            riders.forEach(LiveRequest::land);
            throw e;
        }
        return new Step(number, slices, work.paddingRows(), false);
    }

    List<LiveRequest> riders() {
        return riders;
    }

    Counts counts() {
        return new Counts(prefillPositions, decodeRows, sampled);
    }

    private void board(Slice slice) {
        LiveRequest request = ledger.live(slice.request());
        boolean context = request.inContext();
        requireRole(context);
        ledger.takeOff(lane, request, slice);
        riders.add(request);
        if (context) {
            prefillPositions += slice.count();
        } else {
            decodeRows += slice.count();
        }
        boolean sample = request.computed() == request.known();
        if (sample) {
            sampled++;
        }
        int[] tokens = request.tokens(slice.from(), slice.count());
        slices.add(new StepSlice(slice.from(), tokens, request.blocks.ids(), sample, request.request.sampling()));
    }

    private void check(Work.Compute work, Limits limits) {
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
