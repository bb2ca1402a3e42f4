package org.inferometer.execution.host.kernels;

import static org.inferometer.execution.host.kernels.Vectors.BYTES;
import static org.inferometer.execution.host.kernels.Vectors.LANES;
import static org.inferometer.execution.host.kernels.Vectors.UNIT;

import java.util.Arrays;
import org.inferometer.execution.host.packed.PackedMatrix;

/// Multiplies INT4 matrices with rounded activations by [W4A8RowKernels] and [W4A8BlockKernels], by items of [UnitProduct].
///
/// One instance per worker; it holds the scratch memory.
final class W4A8Product {
    private static final int SUMS = Math.max(W4A8RowKernels.SCRATCH, W4A8BlockKernels.SCRATCH);

    private final short[] block = new short[W4A8BlockKernels.SIZE];
    private final short[] chunks = new short[SUMS];

    static long bytes() {
        return Short.BYTES * (long) (W4A8BlockKernels.SIZE + SUMS);
    }

    /// Two units from `unit` on with a single row; the last unit of the matrix replaces a missing one.
    ///
    /// @param out `[2][UNIT]`
    void multiplyRow(PackedMatrix matrix, int unit, W4A8Rows x, ActivationRows input, float[] out) {
        long b = matrix.unitOffset(Math.min(unit + 1, matrix.units() - 1));
        W4A8RowKernels.row(matrix.lines(), matrix.unitOffset(unit), b, matrix.words(), x, input.sums, out, chunks);
    }

    /// One unit with some rows.
    ///
    /// @param first row of a tile
    /// @param out `[rows][UNIT]`
    void multiplyRows(PackedMatrix matrix, int unit, W4A8Rows x, ActivationRows input, int first, int rows,
            float[] out) {
        Arrays.fill(out, 0, rows * UNIT, 0f);
        long header = matrix.unitOffset(unit);
        for (int group = 0; group < matrix.groups(); group++) {
            int words = Math.min(PackedMatrix.GROUP_WORDS, matrix.words() - group * PackedMatrix.GROUP_WORDS);
            multiplyGroup(matrix, header, group, words, x, input, first, rows, out);
            header += (long) (PackedMatrix.GROUP_WORDS + 1) * PackedMatrix.LINE_BYTES;
        }
    }

    private void multiplyGroup(PackedMatrix matrix, long header, int group, int words, W4A8Rows x, ActivationRows input,
            int first, int rows, float[] out) {
        W4A8BlockKernels.expand(matrix.lines(), header + PackedMatrix.LINE_BYTES, words, block);
        int count = Math.ceilDiv(words, W4A8RowKernels.CHUNK_WORDS);
        if (count < W4A8RowKernels.CHUNKS) {
            Arrays.fill(chunks, (short) 0);
        }
        for (int row = 0; row < rows; row += W4A8BlockKernels.MOST_ROWS) {
            int present = Math.min(W4A8BlockKernels.MOST_ROWS, rows - row);
            for (int four = 0; four < present; four += W4A8BlockKernels.ROWS) {
                int from = x.at(first + row + four, group * W4A8RowKernels.CHUNKS);
                W4A8BlockKernels.fourRows(block, count, x.numbers, from, chunks, four * W4A8RowKernels.WIDE);
            }
            int sums = input.sumsAt(first + row, group);
            int stride = input.sumsAt(1, 0);
            int to = row * UNIT;
            W4A8BlockKernels.addRows(matrix.lines(), header, chunks, 0, present, input.sums, sums, stride, out, to);
            W4A8BlockKernels.addRows(matrix.lines(), header + BYTES, chunks, UNIT, present, input.sums, sums, stride,
                    out, to + LANES);
        }
    }
}
