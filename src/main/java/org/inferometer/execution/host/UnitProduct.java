package org.inferometer.execution.host;

import static org.inferometer.execution.host.Vectors.BYTES;
import static org.inferometer.execution.host.Vectors.FLOATS;
import static org.inferometer.execution.host.Vectors.LANES;
import static org.inferometer.execution.host.Vectors.UNIT;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/// Multiplies one item of a matrix with all rows of an input: a unit of outputs, or two units for a single row.
///
/// One instance a worker; it holds the scratch memory.
final class UnitProduct {
    private static final int TILE_ROWS = BlockKernels.TILE_ROWS;

    private final float[] block = new float[BlockKernels.COLUMNS * UNIT];
    private final float[] chains; // [rows, UNIT]: a group's unfinished sums

    UnitProduct(int maxRows) {
        chains = new float[Vectors.roundUp(maxRows, TILE_ROWS) * UNIT];
    }

    static long bytes(int maxRows) {
        return 4L * UNIT * (BlockKernels.COLUMNS + Vectors.roundUp(maxRows, TILE_ROWS));
    }

    static int items(PackedMatrix matrix, int rows) {
        return rows == 1 ? Math.ceilDiv(matrix.units(), 2) : matrix.units();
    }

    /// Outputs of an item.
    static int width(int rows) {
        return rows == 1 ? 2 * UNIT : UNIT;
    }

    /// Fills `out[rows][width(rows)]`; `out` has room for whole tiles of rows.
    void multiply(PackedMatrix matrix, int item, RowInput input, int rows, float[] out) {
        if (rows == 1) {
            multiplyRow(matrix, 2 * item, input, out);
        } else {
            multiplyRows(matrix, item, input, rows, out);
        }
    }

    private void multiplyRow(PackedMatrix matrix, int unit, RowInput input, float[] out) {
        long a = matrix.unitOffset(unit);
        int second = Math.min(unit + 1, matrix.units() - 1);
        long b = matrix.unitOffset(second);
        switch (matrix.precision()) {
            case BF16 -> RowKernels.bf16(matrix.lines(), a, b, matrix.words(), input.values, 0, out);
            case FP8 -> {
                RowKernels.fp8(matrix.lines(), a, matrix.words(), input.values, 0, out, 0);
                RowKernels.fp8(matrix.lines(), b, matrix.words(), input.values, 0, out, UNIT);
                scaleChannels(matrix, unit, out, 0);
                scaleChannels(matrix, second, out, UNIT);
            }
            case INT4 -> RowKernels.int4(matrix.lines(), a, b, matrix.words(), input.scaledRow, 0, input.sums, 0, out);
        }
    }

    private void multiplyRows(PackedMatrix matrix, int unit, RowInput input, int rows, float[] out) {
        Arrays.fill(out, 0, Vectors.roundUp(rows, TILE_ROWS) * UNIT, 0f);
        long from = matrix.unitOffset(unit);
        switch (matrix.precision()) {
            case BF16, FP8 -> {
                floatRows(matrix, from, input, rows, out);
                for (int row = 0; row < rows && matrix.rowScales().length > 0; row++) {
                    scaleChannels(matrix, unit, out, row * UNIT);
                }
            }
            case INT4 -> int4Rows(matrix, from, input, rows, out);
        }
    }

    private void floatRows(PackedMatrix matrix, long from, RowInput input, int rows, float[] out) {
        boolean fp8 = matrix.rowScales().length > 0;
        int perWord = fp8 ? 4 : 2;
        int step = BlockKernels.COLUMNS / perWord;
        for (int word = 0; word < matrix.words(); word += step) {
            int count = Math.min(step, matrix.words() - word);
            long at = from + (long) word * PackedMatrix.LINE_BYTES;
            if (fp8) {
                BlockKernels.expandFp8(matrix.lines(), at, count, block);
            } else {
                BlockKernels.expandBf16(matrix.lines(), at, count, block);
            }
            continueChains(count * perWord, input, word * perWord, rows, out);
        }
    }

    private void int4Rows(PackedMatrix matrix, long from, RowInput input, int rows, float[] out) {
        int step = BlockKernels.COLUMNS / 8;
        for (int group = 0; group < matrix.groups(); group++) {
            Arrays.fill(chains, 0, Vectors.roundUp(rows, TILE_ROWS) * UNIT, 0f);
            int firstWord = group * PackedMatrix.GROUP_WORDS;
            int groupWords = Math.min(PackedMatrix.GROUP_WORDS, matrix.words() - firstWord);
            long header = from + (long) group * (PackedMatrix.GROUP_WORDS + 1) * PackedMatrix.LINE_BYTES;
            for (int word = 0; word < groupWords; word += step) {
                int count = Math.min(step, groupWords - word);
                BlockKernels.expandInt4(matrix.lines(), header + (long) (word + 1) * PackedMatrix.LINE_BYTES, count, block);
                continueChains(count * 8, input, (firstWord + word) * 8, rows, chains);
            }
            for (int row = 0; row < rows; row++) {
                float sum = input.sums[row * input.groups + group];
                int at = row * UNIT;
                FloatVector low = FloatVector.fromArray(FLOATS, chains, at);
                RowKernels.addGroup(matrix.lines(), header, low, sum, out, at);
                FloatVector high = FloatVector.fromArray(FLOATS, chains, at + LANES);
                RowKernels.addGroup(matrix.lines(), header + BYTES, high, sum, out, at + LANES);
            }
        }
    }

    private void continueChains(int columns, RowInput input, int firstColumn, int rows, float[] sums) {
        for (int row = 0; row < rows; row += TILE_ROWS) {
            int x = row * input.stride + firstColumn * TILE_ROWS;
            if (rows - row > TILE_ROWS / 2) {
                BlockKernels.eightRows(block, columns, input.tiles, x, sums, row * UNIT);
            } else {
                BlockKernels.fourRows(block, columns, input.tiles, x, sums, row * UNIT);
            }
        }
    }

    private static void scaleChannels(PackedMatrix matrix, int unit, float[] out, int at) {
        float[] scales = matrix.rowScales();
        for (int i = 0; i < UNIT; i += LANES) {
            FloatVector.fromArray(FLOATS, out, at + i)
                    .mul(FloatVector.fromArray(FLOATS, scales, unit * UNIT + i))
                    .intoArray(out, at + i);
        }
    }
}
