package org.inferometer.execution.host.kernels;

import static org.inferometer.execution.host.kernels.Vectors.BYTES;
import static org.inferometer.execution.host.kernels.Vectors.LANES;
import static org.inferometer.execution.host.kernels.Vectors.UNIT;

import java.util.Arrays;
import org.inferometer.execution.host.packed.PackedMatrix;

/// Multiplies INT8 matrices with rounded activations by [W8A8Kernels], by items of [UnitProduct].
///
/// One instance per worker; it holds the scratch memory.
final class W8A8Product {
    /// Blocks whose groups are summed before they are added: few enough for the near cache.
    private static final int BLOCKS = 16;
    private static final int SUMS = 2 * BLOCKS * UNIT;

    private final int[] sums = new int[SUMS];

    static long bytes() {
        return (long) Integer.BYTES * SUMS;
    }

    /// Two units from `unit` on with a single row; the last unit of the matrix replaces a missing one.
    ///
    /// @param out `[2][UNIT]`
    void multiplyRow(PackedMatrix matrix, int unit, W8A8Rows x, ActivationRows input, float[] out) {
        multiply(matrix, unit, x, input, 0, out, 0);
        multiply(matrix, Math.min(unit + 1, matrix.units() - 1), x, input, 0, out, UNIT);
    }

    /// One unit with some rows.
    ///
    /// @param out `[rows][UNIT]`
    void multiplyRows(PackedMatrix matrix, int unit, W8A8Rows x, ActivationRows input, int first, int rows,
            float[] out) {
        for (int row = 0; row < rows; row++) {
            multiply(matrix, unit, x, input, first + row, out, row * UNIT);
        }
    }

    private void multiply(PackedMatrix matrix, int unit, W8A8Rows x, ActivationRows input, int row, float[] out,
            int to) {
        Arrays.fill(out, to, to + UNIT, 0f);
        for (int first = 0; first < matrix.blocks(); first += BLOCKS) {
            int count = Math.min(BLOCKS, matrix.blocks() - first);
            long header = matrix.unitOffset(unit) + matrix.blockOffset(first);
            for (int block = 0; block < count; block++) {
                int word = (first + block) * PackedMatrix.INT8_BLOCK_WORDS;
                int words = Math.min(PackedMatrix.INT8_BLOCK_WORDS, matrix.words() - word);
                W8A8Kernels.sum(matrix.lines(), header + matrix.blockOffset(block) + PackedMatrix.LINE_BYTES, words,
                        x.numbers, x.at(row) + word * W8A8Rows.PER_WORD, sums, 2 * block * UNIT);
            }
            int groups = Math.min(2 * count, matrix.groups() - 2 * first);
            int factor = input.sumsAt(row, 2 * first);
            W8A8Kernels.add(matrix.lines(), header, groups, sums, 0, input.sums, factor, out, to);
            W8A8Kernels.add(matrix.lines(), header + BYTES, groups, sums, LANES, input.sums, factor, out, to + LANES);
        }
    }
}
