package org.inferometer.serving;

import java.util.Arrays;

/// The prefixes of one request found by the last look-up, shortest first. They save hashing and comparing at each
/// decision.
final class PrefixPath {
    private static final long[] NONE = {};
    private static final long NUMBER = 0xffff_ffffL;

    final PrefixIndex index;
    /// Blocks of the request's own table that are in the index.
    int written;

    private final PrefixTable table;
    private long[] stamped = NONE; // generation and number of each prefix; the first `size` count
    private int size;

    PrefixPath(PrefixIndex index, PrefixTable table) {
        this.index = index;
        this.table = table;
    }

    /// The prefix at a known place.
    int get(int place) {
        return (int) (stamped[place] & NUMBER);
    }

    /// The parent of the prefix at a place.
    int parent(int place) {
        return place == 0 ? PrefixTable.NONE : get(place - 1);
    }

    /// Whether the prefix at a place is known and still in the index.
    boolean knows(int place) {
        return place < size && table.generation(get(place)) == (int) (stamped[place] >>> Integer.SIZE);
    }

    /// Sets the prefix at a place and drops all after it.
    void put(int place, int prefix) {
        if (place == stamped.length) {
            stamped = Arrays.copyOf(stamped, Math.max(8, 2 * place));
        }
        stamped[place] = (long) table.generation(prefix) << Integer.SIZE | prefix;
        size = place + 1;
    }
}
