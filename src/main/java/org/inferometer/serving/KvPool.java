package org.inferometer.serving;

import java.util.Arrays;
import org.inferometer.execution.KvGeometry;

/// The blocks of one KV pool: which are free, handed out in the order of their return.
final class KvPool {
    private final KvGeometry geometry;
    private final int[] free; // [blocks], a stack
    private int freeCount;

    KvPool(KvGeometry geometry) {
        this.geometry = geometry;
        this.free = new int[geometry.blocks()];
        this.freeCount = free.length;
        for (int i = 0; i < free.length; i++) {
            free[i] = free.length - 1 - i;
        }
    }

    KvGeometry geometry() {
        return geometry;
    }

    int freeBlocks() {
        return freeCount;
    }

    int heldBlocks() {
        return free.length - freeCount;
    }

    int blocksFor(int positions) {
        return Math.ceilDiv(positions, geometry.blockTokens());
    }

    boolean covers(LiveRequest request, int positions) {
        return (long) request.heldBlocks * geometry.blockTokens() >= positions;
    }

    /// Extends the request's table to `blocks`; false, and nothing changed, where too few are free.
    boolean extend(LiveRequest request, int blocks) {
        int more = blocks - request.heldBlocks;
        if (more > freeCount) {
            return false;
        }
        if (blocks > request.blockTable.length) {
            request.blockTable = Arrays.copyOf(request.blockTable, Math.max(blocks, request.blockTable.length * 2));
        }
        while (request.heldBlocks < blocks) {
            request.blockTable[request.heldBlocks++] = free[--freeCount];
        }
        return true;
    }

    /// Takes all blocks of the request back.
    void release(LiveRequest request) {
        while (request.heldBlocks > 0) {
            free[freeCount++] = request.blockTable[--request.heldBlocks];
        }
    }
}
