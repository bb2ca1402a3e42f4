package org.inferometer.serving;

import java.util.Arrays;
import java.util.function.LongUnaryOperator;
import org.inferometer.units.Seed;

/// Finds the blocks of a pool by their content, after vLLM's prefix caching: a full block is known by its tokens and all tokens
/// before them. Tokens are compared one by one, so blocks whose hashes collide are never taken for each other.
///
/// A block keeps its content until it is handed out again. Several blocks may have the same content, as when two requests
/// computed it side by side; the newest is found. A prefix without blocks stays known while longer ones build on it.
final class PrefixIndex {
    /// Some megabytes with usual blocks; a pool that has more contents at a time makes the table grow.
    private static final int ROWS_AT_ONCE = 1 << 16;

    private final int blockTokens;
    private final PrefixTable prefixes;
    private final int[] prefixOf; // [blocks]
    private final int[] olderTwin; // [blocks], next block with the same content
    private final int[] newerTwin; // [blocks]

    PrefixIndex(int blocks, int blockTokens) {
        this(blocks, blockTokens, Seed::mix);
    }

    /// @param scramble spreads the bits of a hash; whatever it answers, only equal tokens are found
    PrefixIndex(int blocks, int blockTokens, LongUnaryOperator scramble) {
        this.blockTokens = blockTokens;
        this.prefixes = new PrefixTable(Math.min(blocks, ROWS_AT_ONCE), blockTokens, scramble);
        this.prefixOf = new int[blocks];
        Arrays.fill(prefixOf, PrefixTable.NONE);
        this.olderTwin = new int[blocks];
        this.newerTwin = new int[blocks];
    }

    PrefixPath newPath() {
        return new PrefixPath(this, prefixes);
    }

    /// Whole blocks at the start of a request whose content some block has; always fewer positions than are known, because the
    /// last one must be computed to yield a token.
    int cachedBlocks(LiveRequest request) {
        PrefixPath path = request.pathIn(this);
        int most = (request.known() - 1) / blockTokens;
        int hits = 0;
        while (hits < most) {
            if (!path.knows(hits)) {
                int parent = path.parent(hits);
                int from = hits * blockTokens;
                int found = prefixes.find(parent, prefixes.hash(parent, request, from), request, from);
                if (found == PrefixTable.NONE) {
                    break;
                }
                path.put(hits, found);
            }
            if (prefixes.blocks(path.get(hits)) == 0) {
                break;
            }
            hits++;
        }
        return hits;
    }

    /// The block that has the content at a place below what `cachedBlocks` just answered.
    int cachedBlock(LiveRequest request, int place) {
        return prefixes.newestBlock(request.pathIn(this).get(place));
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
                int parent = path.parent(place);
                int from = place * blockTokens;
                int hash = prefixes.hash(parent, request, from);
                int found = prefixes.find(parent, hash, request, from);
                path.put(place, found == PrefixTable.NONE ? prefixes.add(parent, hash, request, from) : found);
            }
            assign(request.blocks.block(place), path.get(place));
            path.written++;
        }
        request.nextFullPositions = (full + 1) * blockTokens;
    }

    /// Forgets what a block holds, because it is handed out to be written anew.
    void forget(int block) {
        int prefix = prefixOf[block];
        if (prefix == PrefixTable.NONE) {
            return;
        }
        prefixOf[block] = PrefixTable.NONE;
        int left = prefixes.blocks(prefix) - 1;
        prefixes.blocks(prefix, left);
        if (left == 0) {
            prefixes.dropIfUnused(prefix);
        } else {
            unlinkTwin(prefix, block);
        }
    }

    /// Prefixes known, those without a block included.
    int size() {
        return prefixes.size();
    }

    private void assign(int block, int prefix) {
        prefixOf[block] = prefix;
        int before = prefixes.blocks(prefix);
        if (before == 0) {
            prefixes.oldestBlock(prefix, block);
        } else {
            int newest = prefixes.newestBlock(prefix);
            olderTwin[block] = newest;
            newerTwin[newest] = block;
        }
        prefixes.newestBlock(prefix, block);
        prefixes.blocks(prefix, before + 1);
    }

    /// Takes a block out of the line of those with the same content, at least one of which is left. The ends of a line are not
    /// marked in the arrays: most prefixes have one block, and those of a large pool are seldom in the cache.
    private void unlinkTwin(int prefix, int block) {
        if (block == prefixes.newestBlock(prefix)) {
            prefixes.newestBlock(prefix, olderTwin[block]);
        } else if (block == prefixes.oldestBlock(prefix)) {
            prefixes.oldestBlock(prefix, newerTwin[block]);
        } else {
            olderTwin[newerTwin[block]] = olderTwin[block];
            newerTwin[olderTwin[block]] = newerTwin[block];
        }
    }
}
