package org.inferometer.execution.host.kernels;

import static org.inferometer.execution.host.machine.Vectors.FLOATS;
import static org.inferometer.execution.host.machine.Vectors.INTS;
import static org.inferometer.execution.host.machine.Vectors.LANES;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import org.inferometer.engine.WeightMatrix;

/// Activation rows as integers from -127 to 127 for [W4A8RowKernels], in chunks of 32 inputs, four words, whatever the width of groups.
///
/// Different threads may store different tiles.
public final class W4A8Rows {
    /// Added to a float of at most 2^22, leaves its nearest integer in the lowest mantissa bits.
    public static final float ROUNDING = 0x1.8p23f;
    public static final int ROUNDING_BITS = Float.floatToRawIntBits(ROUNDING);
    private static final int CHUNK = WeightMatrix.Int4.GROUP_COLUMNS / W4A8RowKernels.CHUNKS;
    private static final int WORD = 2 * W4A8RowKernels.PLACES;
    private static final int PAIRS = CHUNK / 2;
    /// Offset of signed nibbles.
    private static final int MIDDLE = 8;
    /// Keeps a chunk's sum positive, so that it needs no sign.
    private static final int BIAS = 1 << 15;
    /// Inputs whose pairs are made together, and the lanes that have a pair: the lower half of each word.
    private static final int SINGLE_STEP = Math.max(WORD, LANES);
    private static final VectorMask<Integer> LOWER =
            IntVector.zero(INTS).addIndex(1).and(WORD - 1).compare(VectorOperators.LT, WORD / 2);
    /// The part of the previous input that a shift leaves in; none for the first of a word.
    private static final float[] BEFORE = before();

    /// The start value of each chunk, then its pairs. A start value is [#BIAS] − 8 · Σ x, modulo 2^16. A pair has the
    /// factor of the words' lower halves in its lower 16 bits and of their upper halves in its upper 16 bits, in order
    /// of shifts.
    ///
    /// `[rows / TILE, chunks, 1 + PAIRS, TILE]`; of a single row the starts, then `[chunks, PAIRS]` from [#singlePairs] on.
    public final int[] numbers;

    private final int width;
    private final int chunks;
    private final float[] inputs; // [rows / TILE, 1 + CHUNK]: scratch, a chunk behind a number that does not count
    private final int[] factors; // [rows / TILE, CHUNK]: scratch

    /// @param rows whole tiles
    public W4A8Rows(int width, int rows) {
        this.width = width;
        chunks = Math.ceilDiv(width, CHUNK);
        // Compressed vectors of a single row write beyond their pairs, into what is written next or not used.
        numbers = new int[rows * chunks * (1 + PAIRS)];
        inputs = new float[rows / BlockKernels.TILE_ROWS * (1 + CHUNK)];
        // A vector reads beyond the last word.
        factors = new int[rows / BlockKernels.TILE_ROWS * CHUNK + LANES];
    }

    public static long bytes(int width, int rows) {
        return 4L * rows * Math.ceilDiv(width, CHUNK) * (1 + PAIRS)
                + 4L * rows / BlockKernels.TILE_ROWS * (1 + 2 * CHUNK);
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
    public static float share(int inputs, float sum) {
        return (float) BIAS * Math.ceilDiv(inputs, CHUNK) - MIDDLE * sum;
    }

    /// Index of a row's chunk in its tile.
    public int at(int row, int chunk) {
        return (row / BlockKernels.TILE_ROWS * chunks + chunk) * (1 + PAIRS) * BlockKernels.TILE_ROWS
                + row % BlockKernels.TILE_ROWS;
    }

    /// Index of the pairs of a single row.
    int singlePairs() {
        return chunks;
    }

    /// Stores a row in its tile.
    ///
    /// @param codes integers from `at` on
    public void take(float[] codes, int at, int row) {
        for (int chunk = 0; chunk < chunks; chunk++) {
            int start = at(row, chunk);
            take(codes, at, chunk, row / BlockKernels.TILE_ROWS, start, start + BlockKernels.TILE_ROWS,
                    BlockKernels.TILE_ROWS);
        }
    }

    /// Stores a single row.
    public void storeSingle(float[] codes) {
        for (int chunk = 0; chunk < chunks; chunk++) {
            numbers[chunk] = factors(codes, chunk * CHUNK, chunk, 0);
            int pair = singlePairs() + chunk * PAIRS;
            for (int k = 0; k < CHUNK; k += SINGLE_STEP) {
                IntVector lower = IntVector.fromArray(INTS, factors, k).and(W4A8RowKernels.LOW);
                IntVector upper = IntVector.fromArray(INTS, factors, k + W4A8RowKernels.PLACES);
                lower.or(upper.lanewise(VectorOperators.LSHL, 16)).compress(LOWER).intoArray(numbers, pair + k / 2);
            }
        }
    }

    private void take(float[] codes, int at, int chunk, int tile, int start, int firstPair, int step) {
        numbers[start] = factors(codes, at + chunk * CHUNK, chunk, tile);
        int to = tile * CHUNK;
        int pair = firstPair;
        for (int word = to; word < to + CHUNK; word += WORD) {
            for (int place = word; place < word + W4A8RowKernels.PLACES; place++) {
                numbers[pair] = (factors[place] & W4A8RowKernels.LOW) | factors[place + W4A8RowKernels.PLACES] << 16;
                pair += step;
            }
        }
    }

    /// Computes the factors of a chunk into `factors`, from `tile · CHUNK` on.
    ///
    /// @return the chunk's start
    private int factors(float[] codes, int at, int chunk, int tile) {
        int count = Math.min(CHUNK, width - chunk * CHUNK);
        int from = tile * (1 + CHUNK);
        int to = tile * CHUNK;
        System.arraycopy(codes, at, inputs, from + 1, count);
        if (count < CHUNK) {
            Arrays.fill(inputs, from + 1 + count, from + 1 + CHUNK, 0f);
        }
        FloatVector sum = FloatVector.zero(FLOATS);
        for (int k = 0; k < CHUNK; k += LANES) {
            FloatVector input = FloatVector.fromArray(FLOATS, inputs, from + 1 + k);
            FloatVector before = FloatVector.fromArray(FLOATS, inputs, from + k);
            FloatVector.fromArray(FLOATS, BEFORE, k).fma(before, input).add(ROUNDING).reinterpretAsInts()
                    .sub(ROUNDING_BITS).intoArray(factors, to + k);
            sum = sum.add(input);
        }
        return BIAS - MIDDLE * (int) sum.reduceLanes(VectorOperators.ADD) & 0xFFFF;
    }
}
