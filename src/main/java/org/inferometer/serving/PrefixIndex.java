package org.inferometer.serving;

import java.util.Arrays;
import java.util.function.LongUnaryOperator;
import org.inferometer.units.Seed;

/// Finds the blocks of a pool by content, like vLLM's prefix caching: a full block is identified by its tokens and all
/// tokens before them. Tokens are compared, so hash collisions do no harm.
///
/// A block keeps its content until it is reused. Several blocks may have the same content, if requests computed it
/// concurrently; the newest is found. A prefix without blocks stays while longer ones build on it.
final class PrefixIndex {
    /// Initial rows, some megabytes with usual blocks; the table grows if needed.
    private static final int ROWS_AT_ONCE = 1 << 16;

    private final int blockTokens;
    private final PrefixTable prefixes;
    private final int[] prefixOf; // [blocks]
    private final int[] olderTwin; // [blocks], next block with the same content
    private final int[] newerTwin; // [blocks]

    PrefixIndex(int blocks, int blockTokens) {
        this(blocks, blockTokens, Seed::mix);
    }

    /// @param scramble spreads the bits of a hash; for any function only equal tokens match
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

    /// Cached whole blocks at the start of a request; they hold fewer positions than are known, because the last one must
    /// be computed to yield a token.
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

    /// The cached block at an index below the last result of `cachedBlocks`.
    int cachedBlock(LiveRequest request, int place) {
        return prefixes.newestBlock(request.pathIn(this).get(place));
    }

    /// Records that the request holds its first `blocks` cached blocks.
    void noteAdopted(LiveRequest request, int blocks) {
        request.pathIn(this).written = blocks;
    }

    /// Records the content of blocks that the request has filled since the last call.
    void noteWritten(LiveRequest request) {
        PrefixPath path = request.pathIn(this);
        int full = request.written() / blockTokens;
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

    /// Removes the content of a block that is reused.
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

    /// Number of prefixes, including those without a block.
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

    /// Removes a block from a list of blocks with equal content that has others. The prefix table keeps the ends of
    /// lists, because most prefixes have one block.
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
