package org.inferometer.serving;

import java.util.Arrays;

/// The blocks of one request in one pool, in order of positions. Mutable; used by the loop's thread only.
final class BlockTable {
    private static final int[] NONE = {};

    private int[] ids = NONE; // the first `count` are held
    private int count;

    /// Number of blocks.
    int count() {
        return count;
    }

    /// The id of the block at a place.
    int block(int place) {
        return ids[place];
    }

    /// The ids; the array may be longer than the number of blocks. Not to be changed; it is replaced when it grows.
    int[] ids() {
        return ids;
    }

    void ensureRoom(int blocks) {
        if (blocks > ids.length) {
            ids = Arrays.copyOf(ids, Math.max(blocks, ids.length * 2));
        }
    }

    void append(int block) {
        ids[count++] = block;
    }

    /// Removes the last block.
    int removeLast() {
        return ids[--count];
    }
}
