package org.inferometer.serving;

import java.util.Arrays;

/// The blocks that one request holds in one pool, in order of positions. Mutable; touched by the loop's thread only.
final class BlockTable {
    private static final int[] NONE = {};

    private int[] ids = NONE; // the first `count` are held
    private int count;

    /// Blocks held.
    int count() {
        return count;
    }

    /// The id of the block at a place.
    int block(int place) {
        return ids[place];
    }

    /// The ids, perhaps with more places than are held. Not to be changed; a longer table later is another array.
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

    /// Takes the last block out.
    int removeLast() {
        return ids[--count];
    }
}
