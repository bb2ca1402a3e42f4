package org.inferometer.serving;

import java.util.function.LongUnaryOperator;
import org.inferometer.units.Seed;
import org.jspecify.annotations.Nullable;

/// Finds the blocks of a pool by their content, after vLLM's prefix caching: a full block is known by its tokens and all tokens
/// before them. Tokens are compared one by one, so blocks whose hashes collide are never taken for each other.
///
/// A block keeps its content until it is handed out again. Several blocks may have the same content, as when two requests
/// computed it side by side; the newest is found. A prefix without blocks stays known while longer ones build on it.
final class PrefixIndex {
    private final int blockTokens;
    private final LongUnaryOperator scramble;
    private final @Nullable Prefix[] ofBlock; // [blocks]
    private final int[] olderTwin; // [blocks], next block with the same content
    private final int[] newerTwin; // [blocks]
    private @Nullable Prefix[] buckets = new Prefix[256];
    private int size;

    PrefixIndex(int blocks, int blockTokens) {
        this(blocks, blockTokens, Seed::mix);
    }

    /// @param scramble spreads the bits of a hash; whatever it answers, only equal tokens are found
    PrefixIndex(int blocks, int blockTokens, LongUnaryOperator scramble) {
        this.blockTokens = blockTokens;
        this.scramble = scramble;
        this.ofBlock = new Prefix[blocks];
        this.olderTwin = new int[blocks];
        this.newerTwin = new int[blocks];
    }

    /// Whole blocks at the start of a request whose content some block has; always fewer positions than are known, because the
    /// last one must be computed to yield a token.
    int cachedBlocks(LiveRequest request) {
        PrefixPath path = request.pathIn(this);
        int most = (request.known() - 1) / blockTokens;
        int hits = 0;
        while (hits < most) {
            if (!path.knows(hits)) {
                Prefix found = find(parent(path, hits), request, hits);
                if (found == null) {
                    break;
                }
                path.put(hits, found);
            }
            if (!path.get(hits).hasBlock()) {
                break;
            }
            hits++;
        }
        return hits;
    }

    /// The block that has the content at a place below what `cachedBlocks` just answered.
    int cachedBlock(LiveRequest request, int place) {
        return request.pathIn(this).get(place).newestBlock;
    }

    /// The request was given its first `blocks` cached blocks.
    void noteAdopted(LiveRequest request, int blocks) {
        request.pathIn(this).written = blocks;
    }

    /// Notes the content of the blocks that the request has filled since it was last asked, now that they are written.
    void noteWritten(LiveRequest request) {
        PrefixPath path = request.pathIn(this);
        int full = request.computed() / blockTokens;
        while (path.written < full) {
            int place = path.written;
            if (!path.knows(place)) {
                Prefix parent = parent(path, place);
                Prefix found = find(parent, request, place);
                path.put(place, found == null ? add(parent, request, place) : found);
            }
            assign(request.blocks.block(place), path.get(place));
            path.written++;
        }
    }

    /// Forgets what a block holds, because it is handed out to be written anew.
    void forget(int block) {
        Prefix prefix = ofBlock[block];
        if (prefix == null) {
            return;
        }
        ofBlock[block] = null;
        int older = olderTwin[block];
        int newer = newerTwin[block];
        if (newer == Prefix.NO_BLOCK) {
            prefix.newestBlock = older;
        } else {
            olderTwin[newer] = older;
        }
        if (older != Prefix.NO_BLOCK) {
            newerTwin[older] = newer;
        }
        dropIfUnused(prefix);
    }

    /// Prefixes known, those without a block included.
    int size() {
        return size;
    }

    private void assign(int block, Prefix prefix) {
        ofBlock[block] = prefix;
        int older = prefix.newestBlock;
        olderTwin[block] = older;
        newerTwin[block] = Prefix.NO_BLOCK;
        if (older != Prefix.NO_BLOCK) {
            newerTwin[older] = block;
        }
        prefix.newestBlock = block;
    }

    private static @Nullable Prefix parent(PrefixPath path, int place) {
        return place == 0 ? null : path.get(place - 1);
    }

    private @Nullable Prefix find(@Nullable Prefix parent, LiveRequest request, int place) {
        long hash = hash(parent, request, place);
        Prefix at = buckets[bucket(hash)];
        while (at != null && !(at.hash == hash && at.parent == parent && request.hasTokens(place * blockTokens, at.tokens))) {
            at = at.nextInBucket;
        }
        return at;
    }

    private Prefix add(@Nullable Prefix parent, LiveRequest request, int place) {
        if (size >= buckets.length) {
            grow();
        }
        Prefix added = new Prefix(parent, hash(parent, request, place), request.tokens(place * blockTokens, blockTokens));
        if (parent != null) {
            parent.children++;
        }
        link(added);
        size++;
        return added;
    }

    private void dropIfUnused(Prefix prefix) {
        Prefix at = prefix;
        while (at != null && !at.hasBlock() && at.children == 0) {
            unlink(at);
            at.dead = true;
            size--;
            Prefix parent = at.parent;
            if (parent != null) {
                parent.children--;
            }
            at = parent;
        }
    }

    private void grow() {
        @Nullable Prefix[] before = buckets;
        buckets = new Prefix[before.length * 2];
        for (Prefix first : before) {
            Prefix at = first;
            while (at != null) {
                Prefix next = at.nextInBucket;
                link(at);
                at = next;
            }
        }
    }

    private void link(Prefix prefix) {
        int bucket = bucket(prefix.hash);
        prefix.nextInBucket = buckets[bucket];
        buckets[bucket] = prefix;
    }

    private void unlink(Prefix prefix) {
        int bucket = bucket(prefix.hash);
        Prefix before = null;
        Prefix at = buckets[bucket];
        while (at != null && at != prefix) {
            before = at;
            at = at.nextInBucket;
        }
        if (before == null) {
            buckets[bucket] = prefix.nextInBucket;
        } else {
            before.nextInBucket = prefix.nextInBucket;
        }
        prefix.nextInBucket = null;
    }

    private int bucket(long hash) {
        return (int) hash & (buckets.length - 1);
    }

    private long hash(@Nullable Prefix parent, LiveRequest request, int place) {
        long hash = parent == null ? 0 : parent.hash;
        int from = place * blockTokens;
        for (int position = from; position < from + blockTokens; position++) {
            hash = hash * 0x9e3779b97f4a7c15L + request.token(position);
        }
        return scramble.applyAsLong(hash);
    }
}
