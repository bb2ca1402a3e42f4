package org.inferometer.serving;

import java.util.Arrays;

/// The prefixes of one request that an index knew when they were last looked for, shortest first, so that they need not be hashed
/// and compared again at each decision.
final class PrefixPath {
    private static final long[] NONE = {};
    private static final long NUMBER = 0xffff_ffffL;

    final PrefixIndex index;
    /// Blocks of the request's own table that the index knows by their content.
    int written;

    private final PrefixTable table;
    private long[] stamped = NONE; // generation and number of each prefix; the first `size` count
    private int size;

    PrefixPath(PrefixIndex index, PrefixTable table) {
        this.index = index;
        this.table = table;
    }

    /// The prefix at a place that is known.
    int get(int place) {
        return (int) (stamped[place] & NUMBER);
    }

    /// What the prefix at a place builds on, which is known.
    int parent(int place) {
        return place == 0 ? PrefixTable.NONE : get(place - 1);
    }

    /// Whether the prefix at a place was found and has not been dropped since.
    boolean knows(int place) {
        return place < size && table.generation(get(place)) == (int) (stamped[place] >>> Integer.SIZE);
    }

    /// Puts a prefix at a place up to the end; what stood there and behind it is forgotten.
    void put(int place, int prefix) {
        if (place == stamped.length) {
            stamped = Arrays.copyOf(stamped, Math.max(8, 2 * place));
        }
        stamped[place] = (long) table.generation(prefix) << Integer.SIZE | prefix;
        size = place + 1;
    }
}
