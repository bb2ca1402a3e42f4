package org.inferometer.execution.host.products;

import static org.inferometer.execution.host.machine.Vectors.BYTES;
import static org.inferometer.execution.host.machine.Vectors.LANES;
import static org.inferometer.execution.host.machine.Vectors.UNIT;

import java.util.Arrays;
import org.inferometer.execution.host.kernels.PackedMatrix;
import org.inferometer.execution.host.kernels.W8A8Kernels;
import org.inferometer.execution.host.kernels.W8A8Rows;

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

    /// Units from `unit` on with a single row; the last unit of the matrix replaces missing ones.
    ///
    /// @param out `[units][UNIT]`
    void multiplyRow(PackedMatrix matrix, int unit, int units, W8A8Rows x, ActivationRows input, float[] out) {
        multiply(matrix, unit, units, x, input, 0, out, 0);
    }

    /// One unit with some rows.
    ///
    /// @param out `[rows][UNIT]`
    void multiplyRows(PackedMatrix matrix, int unit, W8A8Rows x, ActivationRows input, int first, int rows,
            float[] out) {
        for (int row = 0; row < rows; row++) {
            multiply(matrix, unit, 1, x, input, first + row, out, row * UNIT);
        }
    }

    /// Units take turns block by block: the processor fetches more streams ahead.
    private void multiply(PackedMatrix matrix, int unit, int units, W8A8Rows x, ActivationRows input, int row,
            float[] out, int to) {
        Arrays.fill(out, to, to + units * UNIT, 0f);
        int most = BLOCKS / units;
        for (int first = 0; first < matrix.blocks(); first += most) {
            int count = Math.min(most, matrix.blocks() - first);
            for (int block = 0; block < count; block++) {
                for (int i = 0; i < units; i++) {
                    sumBlock(matrix, offset(matrix, unit + i), first + block, x, row, 2 * (i * most + block) * UNIT);
                }
            }
            int groups = Math.min(2 * count, matrix.groups() - 2 * first);
            int factor = input.sumsAt(row, 2 * first);
            for (int i = 0; i < units; i++) {
                long header = offset(matrix, unit + i) + matrix.blockOffset(first);
                int from = 2 * i * most * UNIT;
                int at = to + i * UNIT;
                W8A8Kernels.add(matrix.lines(), header, groups, sums, from, input.sums(), factor, out, at);
                W8A8Kernels.add(matrix.lines(), header + BYTES, groups, sums, from + LANES, input.sums(), factor, out,
                        at + LANES);
            }
        }
    }

    private void sumBlock(PackedMatrix matrix, long unit, int block, W8A8Rows x, int row, int to) {
        int word = block * PackedMatrix.INT8_BLOCK_WORDS;
        int words = Math.min(PackedMatrix.INT8_BLOCK_WORDS, matrix.words() - word);
        W8A8Kernels.sum(matrix.lines(), unit + matrix.blockOffset(block) + PackedMatrix.LINE_BYTES, words, x.numbers,
                x.at(row) + word * W8A8Rows.PER_WORD, sums, to);
    }

    private static long offset(PackedMatrix matrix, int unit) {
        return matrix.unitOffset(Math.min(unit, matrix.units() - 1));
    }
}
