package org.inferometer.serving;

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

    boolean covers(BlockTable table, int positions) {
        return (long) table.count() * geometry.blockTokens() >= positions;
    }

    /// Extends a table to `blocks`; false, and nothing changed, where too few are free.
    boolean extend(BlockTable table, int blocks) {
        if (blocks - table.count() > freeCount) {
            return false;
        }
        table.ensureRoom(blocks);
        while (table.count() < blocks) {
            table.append(free[--freeCount]);
        }
        return true;
    }

    /// Takes all blocks of a table back.
    void release(BlockTable table) {
        while (table.count() > 0) {
            free[freeCount++] = table.removeLast();
        }
    }
}
