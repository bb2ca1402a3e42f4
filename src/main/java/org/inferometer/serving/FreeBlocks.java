package org.inferometer.serving;

/// The free blocks of a pool in the order in which they will be taken: a ring of links, so that one from the middle leaves as
/// cheaply as one from an end.
final class FreeBlocks {
    private final int[] before; // [blocks + 1], the last place ties the ring
    private final int[] after; // the same
    private final int knot;
    private int size;

    /// All blocks are free, the lowest first.
    FreeBlocks(int blocks) {
        before = new int[blocks + 1];
        after = new int[blocks + 1];
        knot = blocks;
        before[knot] = knot;
        after[knot] = knot;
        for (int block = 0; block < blocks; block++) {
            addLast(block);
        }
    }

    int size() {
        return size;
    }

    /// Takes the first out; there must be one.
    int takeFirst() {
        int first = after[knot];
        remove(first);
        return first;
    }

    void remove(int block) {
        after[before[block]] = after[block];
        before[after[block]] = before[block];
        size--;
    }

    void addFirst(int block) {
        link(block, knot, after[knot]);
    }

    void addLast(int block) {
        link(block, before[knot], knot);
    }

    private void link(int block, int left, int right) {
        before[block] = left;
        after[block] = right;
        after[left] = block;
        before[right] = block;
        size++;
    }
}
