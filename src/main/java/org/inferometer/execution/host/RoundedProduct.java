package org.inferometer.execution.host;

import static org.inferometer.execution.host.Vectors.BYTES;
import static org.inferometer.execution.host.Vectors.LANES;
import static org.inferometer.execution.host.Vectors.UNIT;

import java.util.Arrays;

/// Multiplies INT4 matrices with rounded activations by [RoundedInt4] and [RoundedInt4Block], an item as [UnitProduct] has it.
///
/// One instance a worker; it holds the scratch memory.
final class RoundedProduct {
    private static final int SUMS = Math.max(RoundedInt4.SCRATCH, RoundedInt4Block.SCRATCH);

    private final short[] block = new short[RoundedInt4Block.SIZE];
    private final short[] chunks = new short[SUMS];

    static long bytes() {
        return Short.BYTES * (long) (RoundedInt4Block.SIZE + SUMS);
    }

    /// [UnitProduct#INT4_ROW_UNITS] units from `unit` on with a lone row; the last unit of the matrix stands in for those that it has not.
    ///
    /// @param out `[INT4_ROW_UNITS][UNIT]`
    void multiplyRow(PackedMatrix matrix, int unit, RoundedRows x, RowInput input, float[] out) {
        int last = matrix.units() - 1;
        for (int pair = 0; pair < UnitProduct.INT4_ROW_UNITS; pair += 2) {
            long a = matrix.unitOffset(Math.min(unit + pair, last));
            long b = matrix.unitOffset(Math.min(unit + pair + 1, last));
            RoundedInt4.row(matrix.lines(), a, b, matrix.words(), x, input.sums, out, pair * UNIT, chunks);
        }
    }

    /// One unit with some rows.
    ///
    /// @param first row of a tile
    /// @param out `[rows][UNIT]`
    void multiplyRows(PackedMatrix matrix, int unit, RoundedRows x, RowInput input, int first, int rows, float[] out) {
        Arrays.fill(out, 0, rows * UNIT, 0f);
        long header = matrix.unitOffset(unit);
        for (int group = 0; group < matrix.groups(); group++) {
            int words = Math.min(PackedMatrix.GROUP_WORDS, matrix.words() - group * PackedMatrix.GROUP_WORDS);
            multiplyGroup(matrix, header, group, words, x, input, first, rows, out);
            header += (long) (PackedMatrix.GROUP_WORDS + 1) * PackedMatrix.LINE_BYTES;
        }
    }

    private void multiplyGroup(PackedMatrix matrix, long header, int group, int words, RoundedRows x, RowInput input,
            int first, int rows, float[] out) {
        RoundedInt4Block.expand(matrix.lines(), header + PackedMatrix.LINE_BYTES, words, block);
        int count = Math.ceilDiv(words, RoundedInt4.CHUNK_WORDS);
        if (count < RoundedInt4.CHUNKS) {
            Arrays.fill(chunks, (short) 0);
        }
        for (int row = 0; row < rows; row += RoundedInt4Block.MOST_ROWS) {
            int present = Math.min(RoundedInt4Block.MOST_ROWS, rows - row);
            for (int four = 0; four < present; four += RoundedInt4Block.ROWS) {
                int from = x.at(first + row + four, group * RoundedInt4.CHUNKS);
                RoundedInt4Block.fourRows(block, count, x.numbers, from, chunks, four * RoundedInt4.WIDE);
            }
            int sums = input.sumsAt(first + row, group);
            int stride = input.sumsAt(1, 0);
            int to = row * UNIT;
            RoundedInt4Block.addRows(matrix.lines(), header, chunks, 0, present, input.sums, sums, stride, out, to);
            RoundedInt4Block.addRows(matrix.lines(), header + BYTES, chunks, UNIT, present, input.sums, sums, stride,
                    out, to + LANES);
        }
    }
}
