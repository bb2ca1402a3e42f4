package org.inferometer.execution.backend;

import java.util.List;
import java.util.Optional;
import org.inferometer.engine.ModelShape;
import org.inferometer.execution.Executor.KvGeometry;
import org.inferometer.execution.LaneJob.KvTransfer;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.scheduling.Lane;

/// Rejects steps and transfers that would access memory outside the buffers and pools.
///
/// @param pools by index
public record StepCheck(ModelShape shape, List<KvGeometry> pools, ExecutorSizes sizes) {
    /// The first fault of a step for a lane that holds this many steps behind its running one; empty if there is none.
    Optional<String> fault(Lane lane, Step step, int queuedSteps) {
        if (step.repeats() && queuedSteps == 0) {
            return Optional.of("A step repeats the one before, but this executor queues no steps.");
        }
        return fault(lane, step);
    }

    /// The first fault of a step for this lane; empty if there is none.
    public Optional<String> fault(Lane lane, Step step) {
        if (lane.role() == Lane.Role.TRANSFER) {
            return Optional.of("Lane " + lane.id().index() + " only copies keys and values; it was given a step.");
        }
        if (step.paddingRows() < 0) {
            return Optional.of("A step has " + step.paddingRows() + " padding rows.");
        }
        KvGeometry pool = pools.get(lane.pool().index());
        long rows = step.paddingRows();
        int sampled = 0;
        for (StepSlice slice : step.slices()) {
            Optional<String> fault = fault(slice, pool);
            if (fault.isPresent()) {
                return fault;
            }
            rows += slice.tokens().length;
            sampled += slice.sample() ? 1 : 0;
        }
        if (rows == 0 || rows > sizes.maxStepPositions()) {
            return Optional.of(
                    "A step has " + rows + " positions; this executor takes 1 to " + sizes.maxStepPositions() + ".");
        }
        if (sampled > sizes.maxSampledRows()) {
            return Optional
                    .of("A step samples " + sampled + " rows; this executor takes " + sizes.maxSampledRows() + ".");
        }
        return Optional.empty();
    }

    /// The first fault of a transfer for this lane; empty if there is none.
    public Optional<String> fault(Lane lane, KvTransfer transfer) {
        if (lane.role() != Lane.Role.TRANSFER) {
            return Optional.of("Lane " + lane.id().index() + " computes; it was given a transfer.");
        }
        if (!transfer.to().equals(lane.pool())) {
            return Optional.of("Lane " + lane.id().index() + " copies into KV pool " + lane.pool().index()
                    + ", not into KV pool " + transfer.to().index() + ".");
        }
        int from = transfer.from().index();
        if (from < 0 || from >= pools.size() || transfer.from().equals(transfer.to())) {
            return Optional.of("A transfer into KV pool " + transfer.to().index() + " comes from KV pool " + from
                    + "; there are " + pools.size() + " pools and it must be another of them.");
        }
        if (transfer.positions() < 1 || transfer.positions() > sizes.maxSequencePositions()) {
            return Optional.of("A transfer has " + transfer.positions() + " positions; a sequence has 1 to "
                    + sizes.maxSequencePositions() + ".");
        }
        return blocksFault(transfer.fromBlocks(), transfer.positions(), pools.get(from))
                .or(() -> blocksFault(transfer.toBlocks(), transfer.positions(), pools.get(transfer.to().index())));
    }

    private Optional<String> fault(StepSlice slice, KvGeometry pool) {
        int count = slice.tokens().length;
        long end = (long) slice.firstPosition() + count;
        if (count == 0 || slice.firstPosition() < 0 || end > sizes.maxSequencePositions()) {
            return Optional.of("A slice covers positions " + slice.firstPosition() + " to " + end
                    + "; a sequence has at most " + sizes.maxSequencePositions() + " and a slice at least one.");
        }
        for (int token : slice.tokens()) {
            if (token < 0 || token >= shape.vocabulary()) {
                return Optional.of("Token " + token + " is outside the vocabulary of " + shape.vocabulary() + ".");
            }
        }
        return blocksFault(slice.blockTable(), end, pool);
    }

    private static Optional<String> blocksFault(int[] blocks, long positions, KvGeometry pool) {
        int needed = (int) Math.ceilDiv(positions, pool.blockTokens());
        if (blocks.length < needed) {
            return Optional.of("A block table has " + blocks.length + " blocks, but " + positions + " positions need "
                    + needed + ".");
        }
        for (int i = 0; i < needed; i++) {
            if (blocks[i] < 0 || blocks[i] >= pool.blocks()) {
                return Optional.of("Block " + blocks[i] + " is outside the pool of " + pool.blocks() + ".");
            }
        }
        return Optional.empty();
    }
}
