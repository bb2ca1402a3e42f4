package org.inferometer.serving;

import java.util.Arrays;
import java.util.function.LongUnaryOperator;

/// The prefixes of an index, each a full block's tokens after a parent prefix or none. Equal prefixes have one row, whose
/// number identifies them until it is dropped.
///
/// All rows are in one array: a run adds and drops a prefix per filled block, and objects would burden the garbage
/// collector.
final class PrefixTable {
    /// No prefix, or no block.
    static final int NONE = -1;

    private static final int PARENT = 0;
    private static final int HASH = 1;
    private static final int NEXT = 2; // in the bucket, or of the rows that are free
    private static final int CHILDREN = 3;
    private static final int BLOCKS = 4;
    private static final int NEWEST = 5;
    private static final int OLDEST = 6;
    private static final int GENERATION = 7;
    private static final int TOKENS = 8; // [blockTokens]

    private final int blockTokens;
    private final int stride;
    private final LongUnaryOperator scramble;
    private int[] rows; // [capacity][stride]
    private int[] buckets; // [power of two]
    private int used;
    private int size;
    private int firstFree = NONE;

    /// @param capacity initial rows; more are allocated if needed
    /// @param scramble hash finaliser; only equal tokens match, whatever it returns
    PrefixTable(int capacity, int blockTokens, LongUnaryOperator scramble) {
        this.blockTokens = blockTokens;
        this.stride = TOKENS + blockTokens;
        this.scramble = scramble;
        this.rows = new int[Math.multiplyExact(capacity, stride)];
        this.buckets = emptyBuckets(capacity);
    }

    /// Number of prefixes.
    int size() {
        return size;
    }

    /// The prefix of these tokens of a request after a parent; NONE if it is unknown.
    int find(int parent, int hash, LiveRequest request, int from) {
        int at = buckets[bucket(hash)];
        while (at != NONE && !(get(at, HASH) == hash && get(at, PARENT) == parent && hasTokens(at, request, from))) {
            at = get(at, NEXT);
        }
        return at;
    }

    /// Adds an unknown prefix; it stays while it has a block or a child.
    int add(int parent, int hash, LiveRequest request, int from) {
        int row = takeRow();
        set(row, PARENT, parent);
        set(row, HASH, hash);
        set(row, CHILDREN, 0);
        set(row, BLOCKS, 0);
        for (int i = 0; i < blockTokens; i++) {
            set(row, TOKENS + i, request.token(from + i));
        }
        if (parent != NONE) {
            set(parent, CHILDREN, get(parent, CHILDREN) + 1);
        }
        link(row);
        size++;
        return row;
    }

    /// Drops a prefix, and its ancestors, without blocks and children.
    void dropIfUnused(int prefix) {
        int at = prefix;
        while (at != NONE && get(at, BLOCKS) == 0 && get(at, CHILDREN) == 0) {
            int parent = get(at, PARENT);
            unlink(at);
            set(at, GENERATION, get(at, GENERATION) + 1);
            set(at, NEXT, firstFree);
            firstFree = at;
            size--;
            if (parent != NONE) {
                set(parent, CHILDREN, get(parent, CHILDREN) - 1);
            }
            at = parent;
        }
    }

    int hash(int parent, LiveRequest request, int from) {
        long hash = parent;
        for (int position = from; position < from + blockTokens; position++) {
            hash = hash * 0x9e3779b97f4a7c15L + request.token(position);
        }
        return (int) scramble.applyAsLong(hash);
    }

    /// Changes when the row is dropped, so that stale references are detected.
    int generation(int prefix) {
        return get(prefix, GENERATION);
    }

    /// Blocks with this content.
    int blocks(int prefix) {
        return get(prefix, BLOCKS);
    }

    void blocks(int prefix, int blocks) {
        set(prefix, BLOCKS, blocks);
    }

    /// The block that got this content last, if any.
    int newestBlock(int prefix) {
        return get(prefix, NEWEST);
    }

    void newestBlock(int prefix, int block) {
        set(prefix, NEWEST, block);
    }

    /// The block that has had this content for longest, if any.
    int oldestBlock(int prefix) {
        return get(prefix, OLDEST);
    }

    void oldestBlock(int prefix, int block) {
        set(prefix, OLDEST, block);
    }

    private boolean hasTokens(int prefix, LiveRequest request, int from) {
        for (int i = 0; i < blockTokens; i++) {
            if (get(prefix, TOKENS + i) != request.token(from + i)) {
                return false;
            }
        }
        return true;
    }

    private int takeRow() {
        if (firstFree != NONE) {
            int row = firstFree;
            firstFree = get(row, NEXT);
            return row;
        }
        if (used * stride == rows.length) {
            grow();
        }
        return used++;
    }

    /// Doubles the rows and links all of them again.
    private void grow() {
        int capacity = Math.max(1, 2 * used);
        rows = Arrays.copyOf(rows, Math.multiplyExact(capacity, stride));
        buckets = emptyBuckets(capacity);
        for (int row = 0; row < used; row++) {
            link(row);
        }
    }

    private void link(int row) {
        int bucket = bucket(get(row, HASH));
        set(row, NEXT, buckets[bucket]);
        buckets[bucket] = row;
    }

    private void unlink(int row) {
        int bucket = bucket(get(row, HASH));
        int at = buckets[bucket];
        if (at == row) {
            buckets[bucket] = get(row, NEXT);
            return;
        }
        while (get(at, NEXT) != row) {
            at = get(at, NEXT);
        }
        set(at, NEXT, get(row, NEXT));
    }

    private int bucket(int hash) {
        return hash & (buckets.length - 1);
    }

    private int get(int row, int field) {
        return rows[row * stride + field];
    }

    private void set(int row, int field, int value) {
        rows[row * stride + field] = value;
    }

    private static int[] emptyBuckets(int capacity) {
        int[] empty = new int[Integer.highestOneBit(Math.max(16, capacity)) * 2];
        Arrays.fill(empty, NONE);
        return empty;
    }
}
