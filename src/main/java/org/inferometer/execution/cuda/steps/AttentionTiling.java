package org.inferometer.execution.cuda.steps;

import org.inferometer.execution.cuda.device.KernelTiles;

/// How the attention of a step is divided into items, each for one thread block per KV head: tiles of rows, and ranges
/// of their positions so that few rows and uneven lengths fill the GPU.
///
/// @param multiprocessors of the device
/// @param kvHeads of the model
/// @param group query heads of a KV head
public record AttentionTiling(int multiprocessors, int kvHeads, int group) {
    /// Thread blocks per multiprocessor, so that one computes while another waits for memory.
    private static final int BLOCKS_EACH = 2;

    /// Rows of one sequence that an item computes together.
    public int tileRows() {
        return Math.max(1, KernelTiles.ATTEND_QUERIES / group);
    }

    /// Items that fill the device.
    private int wanted() {
        return Math.ceilDiv(BLOCKS_EACH * multiprocessors, kvHeads);
    }

    /// The length of a range: an equal share of all positions for each item, rounded up to a quarter of a power of two.
    /// So small changes of a step seldom change the ranges, and with them the order of additions.
    ///
    /// @param positions of all tiles together
    public int rangePositions(long positions) {
        long stages = Math.ceilDiv(Math.ceilDiv(Math.max(1, positions), wanted()), KernelTiles.ATTEND_POSITIONS);
        long step = Math.max(1, Long.highestOneBit(stages - 1) / 4);
        long rounded = Math.ceilDiv(stages, step) * step * KernelTiles.ATTEND_POSITIONS;
        return Math.toIntExact(Math.max(KernelTiles.LEAST_RANGE_POSITIONS, rounded));
    }

    /// The number of ranges of a tile. All have the given length but the last, which may be longer by a quarter.
    public static int ranges(int positions, int rangePositions) {
        return Math.max(1, Math.ceilDiv(positions - rangePositions / 4, rangePositions));
    }

    /// Most tiles of a step.
    public int mostTiles(int rows, int slices) {
        return Math.min(rows, rows / tileRows() + slices);
    }

    /// Most items of a step with this many tiles: ranges are at least an equal share long, so splitting adds at most as
    /// many items as fill the device.
    public int mostItems(int tiles) {
        return tiles + wanted();
    }

    /// Most rows of partial results, one for each range and row of split tiles. Split tiles are longer than an equal
    /// share, so they are fewer than the items that fill the device.
    ///
    /// @param rows of the largest step
    public long mostPartialRows(int rows) {
        return 2L * wanted() * Math.min(rows, tileRows());
    }
}
