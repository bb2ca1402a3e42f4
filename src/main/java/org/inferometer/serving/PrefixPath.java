package org.inferometer.serving;

import java.util.Arrays;

/// The prefixes of one request that an index knew when they were last looked for, shortest first, so that they need not be hashed
/// and compared again at each decision.
final class PrefixPath {
    private static final Prefix[] NONE = {};

    final PrefixIndex index;
    /// Blocks of the request's own table that the index knows by their content.
    int written;

    private Prefix[] prefixes = NONE; // the first `size` count
    private int size;

    PrefixPath(PrefixIndex index) {
        this.index = index;
    }

    int size() {
        return size;
    }

    Prefix get(int place) {
        return prefixes[place];
    }

    /// Whether the prefix at a place is known and still in the index.
    boolean knows(int place) {
        return place < size && !prefixes[place].dead;
    }

    /// Puts a prefix at a place up to the end; what stood there and behind it is forgotten.
    void put(int place, Prefix prefix) {
        if (place == prefixes.length) {
            prefixes = Arrays.copyOf(prefixes, Math.max(8, 2 * place));
        }
        prefixes[place] = prefix;
        size = place + 1;
    }
}
