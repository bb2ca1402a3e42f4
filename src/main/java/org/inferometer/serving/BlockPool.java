package org.inferometer.serving;

import org.inferometer.execution.Executor.KvGeometry;
import org.jspecify.annotations.Nullable;

/// The blocks of one KV pool: which are free, how many requests hold each, and, with prefix caching, their content.
///
/// Without prefix caching the block freed last is taken first. With it, the block that was free for longest is taken
/// first. A table is freed from its end, so longer prefixes lose their content first (as in vLLM).
final class BlockPool {
    private final KvGeometry geometry;
    private final FreeBlockQueue free;
    private final int[] holders; // [blocks]
    private final @Nullable PrefixIndex index;

    /// @param index contents of blocks; null without prefix caching
    BlockPool(KvGeometry geometry, @Nullable PrefixIndex index) {
        this.geometry = geometry;
        this.free = new FreeBlockQueue(geometry.blocks());
        this.holders = new int[geometry.blocks()];
        this.index = index;
    }

    KvGeometry geometry() {
        return geometry;
    }

    boolean reusesPrefixes() {
        return index != null;
    }

    int freeBlocks() {
        return free.size();
    }

    /// Blocks that at least one request holds.
    int heldBlocks() {
        return holders.length - free.size();
    }

    int holders(int block) {
        return holders[block];
    }

    int blocksFor(int positions) {
        return Math.ceilDiv(positions, geometry.blockTokens());
    }

    boolean covers(BlockTable table, int positions) {
        return (long) table.count() * geometry.blockTokens() >= positions;
    }

    /// Cached whole blocks at the start of a waiting request; see [PrefixIndex#cachedBlocks].
    int cachedBlocks(LiveRequest request) {
        return index == null ? 0 : index.cachedBlocks(request);
    }

    /// The cached block at an index below the last result of `cachedBlocks`.
    int cachedBlock(LiveRequest request, int place) {
        if (index == null) {
            throw new IllegalStateException("this pool keeps no contents");
        }
        return index.cachedBlock(request, place);
    }

    /// Gives a request without blocks the first `blocks` of its cached ones; false without any change if there are fewer.
    boolean adopt(LiveRequest request, int blocks) {
        if (index == null || index.cachedBlocks(request) < blocks) {
            return false;
        }
        request.blocks.ensureRoom(blocks);
        for (int place = 0; place < blocks; place++) {
            int block = index.cachedBlock(request, place);
            if (holders[block]++ == 0) {
                free.remove(block);
            }
            request.blocks.append(block);
        }
        index.noteAdopted(request, blocks);
        return true;
    }

    /// Extends a table to `blocks` blocks; false without any change if too few are free.
    boolean extend(BlockTable table, int blocks) {
        if (blocks - table.count() > free.size()) {
            return false;
        }
        table.ensureRoom(blocks);
        while (table.count() < blocks) {
            int block = free.takeFirst();
            if (index != null) {
                index.forget(block);
            }
            holders[block] = 1;
            table.append(block);
        }
        return true;
    }

    /// Records the content of a request's full blocks after the step that filled them.
    void noteWritten(LiveRequest request) {
        if (index != null) {
            index.noteWritten(request);
        }
    }

    /// Releases all blocks of a table; those without another holder become free.
    void release(BlockTable table) {
        while (table.count() > 0) {
            int block = table.removeLast();
            if (--holders[block] == 0) {
                if (index == null) {
                    free.addFirst(block);
                } else {
                    free.addLast(block);
                }
            }
        }
    }
}
