package org.inferometer.serving;

/// The free blocks of a pool in the order in which they will be taken: a ring of links, so that one from the middle leaves as
/// cheaply as one from an end.
final class FreeBlockQueue {
    /// `[blocks + 1][2]`: the neighbours before and after, side by side in memory; the last place ties the ring.
    private final int[] links;

    private final int knot;
    private int size;

    /// All blocks are free, the lowest first.
    FreeBlockQueue(int blocks) {
        links = new int[2 * (blocks + 1)];
        knot = blocks;
        links[2 * knot] = knot;
        links[2 * knot + 1] = knot;
        for (int block = 0; block < blocks; block++) {
            addLast(block);
        }
    }

    int size() {
        return size;
    }

    /// Takes the first out; there must be one.
    int takeFirst() {
        int first = links[2 * knot + 1];
        remove(first);
        return first;
    }

    void remove(int block) {
        int before = links[2 * block];
        int after = links[2 * block + 1];
        links[2 * before + 1] = after;
        links[2 * after] = before;
        size--;
    }

    void addFirst(int block) {
        link(block, knot, links[2 * knot + 1]);
    }

    void addLast(int block) {
        link(block, links[2 * knot], knot);
    }

    private void link(int block, int before, int after) {
        links[2 * block] = before;
        links[2 * block + 1] = after;
        links[2 * before + 1] = block;
        links[2 * after] = block;
        size++;
    }
}
