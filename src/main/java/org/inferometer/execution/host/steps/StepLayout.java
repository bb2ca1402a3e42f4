package org.inferometer.execution.host.steps;

import java.util.List;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.workload.Sampling;

/// The rows of a step (token, position and slice of each) and the tiles of its attention.
///
/// Reused from step to step; written by the lane's thread between sections.
final class StepLayout {
    /// Of a padding row.
    static final int NO_SLICE = -1;

    final int[] token; // [rows]
    final int[] position; // [rows]
    final int[] slice; // [rows]
    final int[] sampledRow; // [sampled]
    final int[][] blockTable; // [slices]
    private final Sampling[] sampling; // [sampled]
    private final int[] lastRow; // [slices]
    /// Attention tiles without their head: the slice's first row and the first of its queries (row-major, then head of group).
    final int[] tileRow;
    final int[] tileQuery;
    final int[] tileQueries;
    private final int groupHeads;
    int rows;
    int sampled;
    int tiles;

    /// @param maxRows of the largest step
    /// @param groupHeads query heads that share a key/value head
    StepLayout(int maxRows, int maxSampled, int groupHeads) {
        lastRow = new int[maxRows];
        token = new int[maxRows];
        position = new int[maxRows];
        slice = new int[maxRows];
        blockTable = new int[maxRows][];
        sampledRow = new int[maxSampled];
        sampling = new Sampling[maxSampled];
        int maxTiles = Math.multiplyExact(maxRows, Math.ceilDiv(groupHeads, AttentionKernel.QUERIES));
        tileRow = new int[maxTiles];
        tileQuery = new int[maxTiles];
        tileQueries = new int[maxTiles];
        this.groupHeads = groupHeads;
    }

    Sampling sampling(int index) {
        return sampling[index];
    }

    void fill(Step step) {
        rows = 0;
        tiles = 0;
        List<StepSlice> slices = step.slices();
        for (int i = 0; i < slices.size(); i++) {
            blockTable[i] = slices.get(i).blockTable();
            addRows(slices.get(i), i);
        }
        addPadding(step.paddingRows());
        addSampled(slices);
    }

    private void addRows(StepSlice part, int index) {
        addTiles(part.tokens().length * groupHeads);
        for (int j = 0; j < part.tokens().length; j++) {
            token[rows] = part.tokens()[j];
            position[rows] = part.firstPosition() + j;
            slice[rows] = index;
            rows++;
        }
        lastRow[index] = rows - 1;
    }

    private void addPadding(int count) {
        for (int i = 0; i < count; i++) {
            token[rows] = 0;
            position[rows] = 0;
            slice[rows] = NO_SLICE;
            rows++;
        }
    }

    private void addSampled(List<StepSlice> slices) {
        sampled = 0;
        for (int i = 0; i < slices.size(); i++) {
            if (slices.get(i).sample()) {
                sampledRow[sampled] = lastRow[i];
                sampling[sampled] = slices.get(i).sampling();
                sampled++;
            }
        }
    }

    private void addTiles(int queries) {
        for (int query = 0; query < queries; query += AttentionKernel.QUERIES) {
            tileRow[tiles] = rows;
            tileQuery[tiles] = query;
            tileQueries[tiles] = Math.min(AttentionKernel.QUERIES, queries - query);
            tiles++;
        }
    }
}
