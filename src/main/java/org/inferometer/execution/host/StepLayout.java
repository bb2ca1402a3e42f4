package org.inferometer.execution.host;

import java.util.List;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepSlice;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.host.attention.AttentionKernel;
import org.inferometer.execution.host.kernels.ActivationRows;
import org.inferometer.execution.host.kernels.BlockKernels;
import org.inferometer.workload.Sampling;

/// The rows of a step (token, position and slice of each) and the tiles of its attention.
///
/// The rows of prompts may come first, in whole tiles, so that other products can multiply them. Reused from step to
/// step; written by the lane's thread between sections.
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
    private final boolean promptsFirst;
    /// Attention tiles without their head: the slice's first row and the first of its queries (row-major, then head of group).
    final int[] tileRow;
    final int[] tileQuery;
    final int[] tileQueries;
    private final int groupHeads;
    int rows;
    /// Leading rows of prompts; none unless prompts come first.
    int promptRows;
    int sampled;
    int tiles;

    /// @param maxRows as [#maxRows] says
    /// @param groupHeads query heads that share a key/value head
    /// @param promptsFirst whether rows of prompts come before all others
    StepLayout(int maxRows, int maxSampled, int groupHeads, boolean promptsFirst) {
        this.promptsFirst = promptsFirst;
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

    /// Rows of the largest step, with those that fill the last tile of prompts.
    static int maxRows(ExecutorSizes sizes) {
        return sizes.maxStepPositions() + ActivationRows.TILE - 1;
    }

    void fill(Step step) {
        rows = 0;
        promptRows = 0;
        tiles = 0;
        List<StepSlice> slices = step.slices();
        if (promptsFirst) {
            for (int i = 0; i < slices.size(); i++) {
                addRows(slices.get(i), i, 0, slices.get(i).promptTokens());
            }
            if (rows < step.rows()) {
                addPadding(BlockKernels.wholeTiles(rows) - rows);
            }
            promptRows = rows;
        }
        for (int i = 0; i < slices.size(); i++) {
            StepSlice part = slices.get(i);
            blockTable[i] = part.blockTable();
            addRows(part, i, promptsFirst ? part.promptTokens() : 0, part.tokens().length);
        }
        addPadding(step.paddingRows());
        addSampled(slices);
    }

    private void addRows(StepSlice part, int index, int from, int to) {
        if (from == to) {
            return;
        }
        addTiles((to - from) * groupHeads);
        for (int j = from; j < to; j++) {
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
