package org.inferometer.execution.host;

import static org.inferometer.execution.host.Vectors.FLOATS;
import static org.inferometer.execution.host.Vectors.LANES;

import jdk.incubator.vector.FloatVector;
import org.inferometer.engine.WeightMatrix;

/// Activation rows that go into matrices, with the forms that the kernels read.
///
/// Elements past a row's width stay zero: they meet the padding of the weights.
final class RowInput {
    /// Rows whose elements lie side by side for [BlockKernels].
    static final int TILE = BlockKernels.TILE_ROWS;

    private static final int GROUP = WeightMatrix.Int4.GROUP_COLUMNS;

    final int width;
    final int stride;
    final float[] values; // [rows, stride]
    /// The rows as several of them are multiplied; for INT4 times the powers of 16 of [Decoding#int4].
    final float[] tiles; // [rows / TILE, stride, TILE]
    /// A lone row as INT4 products read it.
    final float[] scaledRow; // [stride]
    final int groups;
    final float[] sums; // [rows, groups], of the INT4 groups' unscaled inputs

    /// @param rows whole tiles
    RowInput(int width, int rows) {
        this.width = width;
        stride = Vectors.stride(width);
        values = new float[rows * stride];
        tiles = new float[rows * stride];
        scaledRow = new float[stride];
        groups = Math.ceilDiv(width, GROUP);
        sums = new float[rows * groups];
    }

    static long bytes(int width, int rows) {
        long stride = Vectors.stride(width);
        return 4 * (rows * (2 * stride + Math.ceilDiv(width, GROUP)) + stride);
    }

    /// Makes the kernels' form of one tile of finished rows.
    ///
    /// @param count rows of the whole input that are in use
    /// @param int4 whether the matrices that follow are INT4
    void prepare(int tile, int count, boolean int4, float[] spill) {
        int first = tile * TILE;
        int present = Math.min(TILE, count - first);
        for (int row = first; int4 && row < first + present; row++) {
            for (int group = 0; group < groups; group++) {
                int from = group * GROUP;
                float sum = NormKernels.sum(values, row * stride + from, Math.min(GROUP, width - from), spill);
                sums[row * groups + group] = sum;
            }
        }
        if (count > 1) {
            interleave(first, present, int4);
        } else if (int4) {
            FloatVector factors = Decoding.int4InputScale();
            for (int k = 0; k < stride; k += LANES) {
                FloatVector.fromArray(FLOATS, values, k).mul(factors).intoArray(scaledRow, k);
            }
        }
    }

    private void interleave(int first, int present, boolean int4) {
        for (int k = 0; k < stride; k += 4) {
            int to = first * stride + k * TILE;
            for (int row = 0; row < present; row++) {
                int from = (first + row) * stride + k;
                tiles[to + row] = values[from];
                tiles[to + TILE + row] = int4 ? values[from + 1] * 0x1p-4f : values[from + 1];
                tiles[to + 2 * TILE + row] = int4 ? values[from + 2] * 0x1p-8f : values[from + 2];
                tiles[to + 3 * TILE + row] = int4 ? values[from + 3] * 0x1p-12f : values[from + 3];
            }
        }
    }
}
