package org.inferometer.execution.cuda.steps;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.inferometer.execution.cuda.device.KernelStruct;

/// The items of a step's attention. Filled on the host for each step without allocating. Used by one lane.
///
/// Items with more positions come first, so that the blocks that start last are short.
public final class AttentionPlan {
    public static final int ITEM_BYTES = KernelStruct.ATTENTION_ITEM.bytes();
    /// Bits of a range's and a tile's number in [#order].
    private static final int RANGE_BITS = 12;
    private static final int TILE_BITS = 20;

    private final AttentionTiling tiling;
    private final int[] firstRows;
    private final int[] rows;
    private final int[] tables;
    private final int[] firsts;
    private final int[] ends;
    private final int[] partials;
    /// Sorts by falling number of positions, then by tile and range.
    private final long[] order;
    private int tiles;
    private long positions;

    public AttentionPlan(AttentionTiling tiling, int mostTiles) {
        if (mostTiles >= 1 << TILE_BITS || tiling.mostItems(1) >= 1 << RANGE_BITS) {
            throw new IllegalArgumentException(mostTiles + " tiles, " + tiling);
        }
        this.tiling = tiling;
        firstRows = new int[mostTiles];
        rows = new int[mostTiles];
        tables = new int[mostTiles];
        firsts = new int[mostTiles];
        ends = new int[mostTiles];
        partials = new int[mostTiles];
        order = new long[tiling.mostItems(mostTiles)];
    }

    /// Begins the next step.
    public void clear() {
        tiles = 0;
        positions = 0;
    }

    /// Adds consecutive rows of one sequence, at most [AttentionTiling#tileRows].
    ///
    /// @param table start of the sequence's block table
    /// @param first position that any of the rows sees
    /// @param end after the last position that any of the rows sees
    public void add(int firstRow, int count, int table, int first, int end) {
        firstRows[tiles] = firstRow;
        rows[tiles] = count;
        tables[tiles] = table;
        firsts[tiles] = first;
        ends[tiles] = end;
        positions += end - first;
        tiles++;
    }

    public int tiles() {
        return tiles;
    }

    /// Divides the tiles and writes the items.
    ///
    /// @param at a multiple of 16
    /// @return the number of items, at most [AttentionTiling#mostItems]
    public int write(MemorySegment to, long at) {
        int length = tiling.rangePositions(positions);
        int items = 0;
        int partial = 0;
        for (int tile = 0; tile < tiles; tile++) {
            int ranges = AttentionTiling.ranges(ends[tile] - firsts[tile], length);
            for (int range = 0; range < ranges; range++) {
                long shortness =
                        Integer.MAX_VALUE - (end(tile, range, ranges, length) - (long) from(tile, range, length));
                order[items] = (shortness << TILE_BITS | tile) << RANGE_BITS | range;
                items++;
            }
            partials[tile] = partial;
            partial += ranges > 1 ? ranges * rows[tile] : 0;
        }
        Arrays.sort(order, 0, items);
        for (int i = 0; i < items; i++) {
            int range = (int) order[i] & (1 << RANGE_BITS) - 1;
            int tile = (int) (order[i] >> RANGE_BITS) & (1 << TILE_BITS) - 1;
            write(to, at + (long) ITEM_BYTES * i, tile, range, length);
        }
        return items;
    }

    private int from(int tile, int range, int length) {
        return firsts[tile] + range * length;
    }

    private int end(int tile, int range, int ranges, int length) {
        return range == ranges - 1 ? ends[tile] : from(tile, range + 1, length);
    }

    /// In the order of [KernelStruct#ATTENTION_ITEM].
    private void write(MemorySegment to, long at, int tile, int range, int length) {
        int ranges = AttentionTiling.ranges(ends[tile] - firsts[tile], length);
        to.set(ValueLayout.JAVA_INT, at, firstRows[tile]);
        to.set(ValueLayout.JAVA_INT, at + 4, rows[tile]);
        to.set(ValueLayout.JAVA_INT, at + 8, tables[tile]);
        to.set(ValueLayout.JAVA_INT, at + 12, from(tile, range, length));
        to.set(ValueLayout.JAVA_INT, at + 16, end(tile, range, ranges, length));
        to.set(ValueLayout.JAVA_INT, at + 20, range);
        to.set(ValueLayout.JAVA_INT, at + 24, ranges);
        to.set(ValueLayout.JAVA_INT, at + 28, partials[tile]);
    }

    /// Writes items without work.
    public static void writeEmpty(MemorySegment to, long at, int count) {
        to.asSlice(at, (long) ITEM_BYTES * count).fill((byte) 0);
    }
}
