package org.inferometer.execution.backend;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.execution.ExecutorException;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.PoolId;
import org.inferometer.units.QuantityText;

/// Divides the KV memory into the blocks of each pool.
///
/// @param blockTokens positions in a block
/// @param blockBytes bytes of a block over all layers
/// @param smallerType the option for a cache of half the size, for messages; empty if it is set
public record PoolBlocks(LaneLayout layout, int blockTokens, long blockBytes, String smallerType) {
    /// Blocks of each pool, by index.
    ///
    /// @throws ExecutorException if a pool cannot hold one request, or a prefill pool cannot hold one block
    public List<Integer> of(ExecutorSizes sizes) throws ExecutorException {
        List<Integer> blocks = split(sizes.kvBytes() / blockBytes, layout.poolShares());
        requireRoomForOne(blocks, sizes);
        return blocks;
    }

    /// Whole blocks for each pool. Boundaries are rounded, not sizes, so no block is lost.
    static List<Integer> split(long blocks, List<Double> shares) {
        List<Integer> split = new ArrayList<>();
        double upTo = 0;
        long given = 0;
        for (int i = 0; i < shares.size(); i++) {
            upTo += shares.get(i);
            long end = i == shares.size() - 1 ? blocks : Math.min(blocks, Math.round(blocks * upTo));
            split.add((int) Math.min(end - given, Integer.MAX_VALUE));
            given = end;
        }
        return split;
    }

    private void requireRoomForOne(List<Integer> blocks, ExecutorSizes sizes) throws ExecutorException {
        List<Double> shares = layout.poolShares();
        double enough = 0;
        int lacking = -1;
        for (int i = 0; i < shares.size(); i++) {
            long needed = blocksForOne(new PoolId(i), sizes);
            // A boundary between pools may be rounded down by one block.
            enough = Math.max(enough, Math.ceil((needed + (shares.size() > 1 ? 1 : 0)) / shares.get(i)));
            lacking = lacking < 0 && blocks.get(i) < needed ? i : lacking;
        }
        if (lacking < 0) {
            return;
        }
        boolean single = shares.size() == 1;
        String split = single ? "" : " is split over " + shares.size() + " pools, and pool " + lacking;
        long longestBytes = Math.ceilDiv(sizes.maxSequencePositions(), blockTokens) * blockBytes;
        throw new ExecutorException("The KV cache of " + QuantityText.bytes(sizes.kvBytes()) + split + " holds "
                + ((long) blocks.get(lacking) * blockTokens) + " positions, but one request may have "
                + sizes.maxSequencePositions() + " and needs " + QuantityText.bytes(longestBytes)
                + "; raise the KV memory" + (single ? "" : " to " + QuantityText.bytes(((long) enough) * blockBytes))
                + ", lower the max length" + (smallerType.isEmpty() ? "" : ", or use " + smallerType) + ".");
    }

    /// In prefill pools one block suffices, because the engine refuses prompts that are too long.
    private long blocksForOne(PoolId pool, ExecutorSizes sizes) {
        boolean wholeRequests = layout.lanes().stream().anyMatch(
                lane -> lane.pool().equals(pool) && (lane.role() == Lane.Role.ANY || lane.role() == Lane.Role.DECODE));
        return wholeRequests ? Math.ceilDiv(sizes.maxSequencePositions(), blockTokens) : 1;
    }
}
