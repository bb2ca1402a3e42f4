package org.inferometer.execution.host.kernels;

import static org.inferometer.execution.host.kernels.Vectors.FLOATS;
import static org.inferometer.execution.host.kernels.Vectors.LANES;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import org.inferometer.engine.WeightMatrix;

/// Activation rows as integers from -127 to 127 for [W4A8RowKernels], in chunks of 32 inputs, four words.
///
/// Different threads may store different tiles.
final class W4A8Rows {
    private static final int CHUNK = WeightMatrix.Int4.GROUP_COLUMNS / W4A8RowKernels.CHUNKS;
    private static final int WORD = 2 * W4A8RowKernels.PLACES;
    private static final int PAIRS = CHUNK / 2;
    /// Offset of signed nibbles.
    private static final int MIDDLE = 8;
    /// Keeps a chunk's sum positive, so that it needs no sign.
    private static final int BIAS = 1 << 15;
    /// The part of the previous input that a shift leaves in; none for the first of a word.
    private static final float[] BEFORE = before();

    /// The start value of each chunk, then its pairs. A start value is [#BIAS] − 8 · Σ x, modulo 2^16. A pair has the
    /// factor of the words' lower halves in its lower 16 bits and of their upper halves in its upper 16 bits, in order
    /// of shifts.
    ///
    /// `[rows / TILE, chunks, 1 + PAIRS, TILE]`; of a single row `[chunks, PAIRS]`, and the starts from [#singleStarts] on.
    final int[] numbers;

    private final int width;
    private final int chunks;
    private final float[] inputs; // [rows / TILE, 1 + CHUNK]: scratch, a chunk behind a number that does not count
    private final int[] factors; // [rows / TILE, CHUNK]: scratch

    /// @param rows whole tiles
    W4A8Rows(int width, int rows) {
        this.width = width;
        chunks = Math.ceilDiv(width, CHUNK);
        numbers = new int[rows * chunks * (1 + PAIRS)];
        inputs = new float[rows / ActivationRows.TILE * (1 + CHUNK)];
        factors = new int[rows / ActivationRows.TILE * CHUNK];
    }

    static long bytes(int width, int rows) {
        return 4L * rows * Math.ceilDiv(width, CHUNK) * (1 + PAIRS) + 4L * rows / ActivationRows.TILE * (1 + 2 * CHUNK);
    }

    private static float[] before() {
        float[] before = new float[CHUNK];
        Arrays.fill(before, -16);
        for (int word = 0; word < CHUNK; word += WORD) {
            before[word] = 0;
        }
        return before;
    }

    /// The part of a group's sum that comes from the starts.
    ///
    /// @param sum of the group's inputs
    static float share(int inputs, float sum) {
        return (float) BIAS * Math.ceilDiv(inputs, CHUNK) - MIDDLE * sum;
    }

    /// Index of a row's chunk in its tile.
    int at(int row, int chunk) {
        return (row / ActivationRows.TILE * chunks + chunk) * (1 + PAIRS) * ActivationRows.TILE
                + row % ActivationRows.TILE;
    }

    /// Index of the starts of a single row.
    int singleStarts() {
        return chunks * PAIRS;
    }

    /// Stores a row in its tile.
    ///
    /// @param codes integers from `at` on
    void take(float[] codes, int at, int row) {
        for (int chunk = 0; chunk < chunks; chunk++) {
            int start = at(row, chunk);
            take(codes, at, chunk, row / ActivationRows.TILE, start, start + ActivationRows.TILE, ActivationRows.TILE);
        }
    }

    /// Stores a single row.
    void storeSingle(float[] codes) {
        for (int chunk = 0; chunk < chunks; chunk++) {
            take(codes, 0, chunk, 0, singleStarts() + chunk, chunk * PAIRS, 1);
        }
    }

    private void take(float[] codes, int at, int chunk, int tile, int start, int firstPair, int step) {
        int count = Math.min(CHUNK, width - chunk * CHUNK);
        int from = tile * (1 + CHUNK);
        int to = tile * CHUNK;
        System.arraycopy(codes, at + chunk * CHUNK, inputs, from + 1, count);
        if (count < CHUNK) {
            Arrays.fill(inputs, from + 1 + count, from + 1 + CHUNK, 0f);
        }
        FloatVector sum = FloatVector.zero(FLOATS);
        for (int k = 0; k < CHUNK; k += LANES) {
            FloatVector input = FloatVector.fromArray(FLOATS, inputs, from + 1 + k);
            FloatVector before = FloatVector.fromArray(FLOATS, inputs, from + k);
            FloatVector.fromArray(FLOATS, BEFORE, k).fma(before, input).add(ActivationRows.ROUNDING).reinterpretAsInts()
                    .sub(ActivationRows.ROUNDING_BITS).intoArray(factors, to + k);
            sum = sum.add(input);
        }
        int pair = firstPair;
        for (int word = to; word < to + CHUNK; word += WORD) {
            for (int place = word; place < word + W4A8RowKernels.PLACES; place++) {
                numbers[pair] = (factors[place] & 0xFFFF) | factors[place + W4A8RowKernels.PLACES] << 16;
                pair += step;
            }
        }
        numbers[start] = BIAS - MIDDLE * (int) sum.reduceLanes(VectorOperators.ADD) & 0xFFFF;
    }
}
