package org.inferometer.serving;

/// The free blocks of a pool in the order of their use: a doubly linked list in an array, with removal from the middle
/// in constant time.
final class FreeBlockQueue {
    /// `[blocks + 1][2]` previous and next block, adjacent in memory; the last entry is the head of the list.
    private final int[] links;

    private final int knot;
    private int size;

    /// All blocks are free, in ascending order.
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

    /// Removes the first block; the queue must not be empty.
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
