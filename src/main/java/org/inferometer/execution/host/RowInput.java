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
    /// The rows as several of them are multiplied; for INT4 times the factors of [Decoding#int4InputScale].
    final float[] tiles; // [rows / TILE, stride, TILE]
    /// A lone row as INT4 products read it.
    final float[] scaledRow; // [stride]
    final int groups;
    /// Of each INT4 group: the sum of its inputs, and the sum of its scaled inputs, which is what the ones of [Decoding#int4] add.
    final float[] sums; // [rows, groups, 2]

    /// @param rows whole tiles
    RowInput(int width, int rows) {
        this.width = width;
        stride = Vectors.stride(width);
        values = new float[rows * stride];
        tiles = new float[rows * stride];
        scaledRow = new float[stride];
        groups = Math.ceilDiv(width, GROUP);
        sums = new float[2 * rows * groups];
    }

    static long bytes(int width, int rows) {
        long stride = Vectors.stride(width);
        return 4 * (rows * (2 * stride + 2L * Math.ceilDiv(width, GROUP)) + stride);
    }

    /// Makes the kernels' form of one tile of finished rows.
    ///
    /// @param inUse rows of the whole input that are in use
    /// @param int4 whether the matrices that follow are INT4
    void prepare(int tile, int inUse, boolean int4, float[] spill) {
        int first = tile * TILE;
        int present = Math.min(TILE, inUse - first);
        for (int row = first; int4 && row < first + present; row++) {
            for (int group = 0; group < groups; group++) {
                int from = group * GROUP;
                int count = Math.min(GROUP, width - from);
                int at = 2 * (row * groups + group);
                sums[at] = NormKernels.sum(values, row * stride + from, count, spill);
                sums[at + 1] = scaledSum(row * stride + from, count, spill);
            }
        }
        if (inUse > 1) {
            interleave(first, present, int4);
        } else if (int4) {
            FloatVector factors = Decoding.int4InputScale();
            for (int k = 0; k < stride; k += LANES) {
                FloatVector.fromArray(FLOATS, values, k).mul(factors).intoArray(scaledRow, k);
            }
        }
    }

    /// The factors are powers of two, so this is the exact sum of the inputs that the kernels see but for the adding.
    private float scaledSum(int from, int count, float[] spill) {
        FloatVector factors = Decoding.int4InputScale();
        FloatVector lanes = FloatVector.zero(FLOATS);
        int k = 0;
        for (; k + LANES <= count; k += LANES) {
            lanes = FloatVector.fromArray(FLOATS, values, from + k).fma(factors, lanes);
        }
        float sum = Vectors.orderedSum(lanes, spill);
        for (; k < count; k++) {
            sum = Math.fma(values[from + k], Decoding.int4InputScale(k), sum);
        }
        return sum;
    }

    private void interleave(int first, int present, boolean int4) {
        float even = int4 ? Decoding.int4InputScale(0) : 1f;
        float odd = int4 ? Decoding.int4InputScale(1) : 1f;
        for (int k = 0; k < stride; k += 4) {
            int to = first * stride + k * TILE;
            for (int row = 0; row < present; row++) {
                int from = (first + row) * stride + k;
                tiles[to + row] = values[from] * even;
                tiles[to + TILE + row] = values[from + 1] * odd;
                tiles[to + 2 * TILE + row] = values[from + 2] * even;
                tiles[to + 3 * TILE + row] = values[from + 3] * odd;
            }
        }
    }
}
