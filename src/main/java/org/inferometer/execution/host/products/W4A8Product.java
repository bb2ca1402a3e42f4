package org.inferometer.execution.host.products;

import static org.inferometer.execution.host.machine.Vectors.BYTES;
import static org.inferometer.execution.host.machine.Vectors.LANES;
import static org.inferometer.execution.host.machine.Vectors.UNIT;

import java.util.Arrays;
import org.inferometer.execution.host.kernels.GroupedRows;
import org.inferometer.execution.host.kernels.PackedMatrix;
import org.inferometer.execution.host.kernels.W4A8BlockKernels;
import org.inferometer.execution.host.kernels.W4A8RowKernels;
import org.inferometer.execution.host.kernels.W4A8Rows;

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

    /// Pairs of units from `unit` on with a single row; the last unit of the matrix replaces missing ones.
    ///
    /// @param out `[2 · pairs][UNIT]`
    void multiplyRow(PackedMatrix matrix, int unit, int pairs, W4A8Rows x, ActivationRows input, float[] out) {
        W4A8RowKernels.row(matrix, unit, pairs, x, input.sums(), out, chunks);
    }

    /// One unit with some rows.
    ///
    /// @param first row of a tile
    /// @param out `[rows][UNIT]`
    void multiplyRows(PackedMatrix matrix, int unit, W4A8Rows x, ActivationRows input, int first, int rows,
            float[] out) {
        Arrays.fill(out, 0, rows * UNIT, 0f);
        for (int block = 0; block < matrix.blocks(); block++) {
            multiplyBlock(matrix, matrix.unitOffset(unit) + matrix.blockOffset(block), block, x, input, first, rows,
                    out);
        }
    }

    private void multiplyBlock(PackedMatrix matrix, long header, int at, W4A8Rows x, ActivationRows input, int first,
            int rows, float[] out) {
        int words = Math.min(PackedMatrix.BLOCK_WORDS, matrix.words() - at * PackedMatrix.BLOCK_WORDS);
        long from = header + (long) matrix.headers() * PackedMatrix.LINE_BYTES;
        W4A8BlockKernels.expand(matrix.lines(), from, words, block);
        int count = Math.ceilDiv(words, W4A8RowKernels.CHUNK_WORDS);
        if (count < W4A8RowKernels.CHUNKS) {
            Arrays.fill(chunks, (short) 0);
        }
        for (int row = 0; row < rows; row += W4A8BlockKernels.MOST_ROWS) {
            int present = Math.min(W4A8BlockKernels.MOST_ROWS, rows - row);
            for (int four = 0; four < present; four += W4A8BlockKernels.ROWS) {
                int numbers = x.at(first + row + four, at * W4A8RowKernels.CHUNKS);
                W4A8BlockKernels.fourRows(block, count, x.numbers, numbers, chunks, four * W4A8RowKernels.WIDE);
            }
            int sums = input.sumsAt(first + row, at * matrix.headers());
            addChunks(matrix, header, 0, present, input, sums, out, row * UNIT);
            addChunks(matrix, header + BYTES, UNIT, present, input, sums, out, row * UNIT + LANES);
        }
    }

    private void addChunks(PackedMatrix matrix, long header, int from, int rows, ActivationRows input, int sums,
            float[] out, int to) {
        int stride = input.sumsAt(1, 0);
        if (matrix.headers() == 1) {
            W4A8BlockKernels.addRows(matrix.lines(), header, chunks, from, rows, input.sums(), sums, stride, out, to);
            return;
        }
        int each = W4A8RowKernels.CHUNKS / matrix.headers();
        for (int part = 0; part < matrix.headers(); part++) {
            W4A8BlockKernels.addPart(matrix.lines(), header + (long) part * PackedMatrix.LINE_BYTES, chunks,
                    from + part * each * W4A8BlockKernels.CHUNK_SUMS, each, rows, input.sums(),
                    sums + part * GroupedRows.SUMS, stride, out, to);
        }
    }
}
