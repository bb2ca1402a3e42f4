package org.inferometer.engine.checkpoint;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.inferometer.engine.ModelWeights;
import org.inferometer.engine.Precision;
import org.inferometer.engine.StoredTensor;
import org.inferometer.engine.StoredTensor.StoredPart;
import org.inferometer.engine.checkpoint.Quantisation.Kind;
import org.inferometer.engine.files.LittleEndian;
import org.jspecify.annotations.Nullable;

/// A matrix of 4-bit values `[rows, columns]` in the layout of AWQ, GPTQ or compressed-tensors: w = (q − zero) × scale.
///
/// @param slice the outputs of the tensors that are its rows; GPT-2 has query, key and value in one
/// @param words of eight values
/// @param zeros words of eight zero points; absent if all are 8
/// @param groupColumns inputs with a common scale and zero point
/// @param groupOf the group of each input; absent if inputs that follow each other share one
record Int4Matrix(Kind kind, Slice slice, int columns, MemorySegment words, @Nullable MemorySegment zeros,
        FloatTensor scales, int groupColumns, int @Nullable [] groupOf) implements QuantisedMatrix {
    /// Where AWQ has each of eight outputs in a word.
    private static final int[] AWQ_NIBBLES = {0, 4, 1, 5, 2, 6, 3, 7};
    private static final int LARGEST = 15;
    private static final int MIDDLE = 8;
    private static final int PER_WORD = 8;

    /// Adjacent outputs of a tensor.
    ///
    /// @param outputs of the tensor
    /// @param first output that is a row
    record Slice(int outputs, int first, int rows) {}

    private int rows() {
        return slice.rows;
    }

    @Override
    public Precision precision() {
        return Precision.INT4;
    }

    @Override
    public MemorySegment codes() {
        return words;
    }

    /// Engines have groups of adjacent inputs, zero points up to 15, and FP16 scales.
    @Override
    public boolean isKept(int kept, int[] order) {
        return groupsFit(kept, order) && scales.fitHalves() && zerosFit();
    }

    /// Whether each group of the engine lies in one of the matrix.
    boolean groupsFit(int kept, int[] order) {
        for (int place = 0; place < columns; place++) {
            if (group(input(order, place)) != group(input(order, place - place % kept))) {
                return false;
            }
        }
        return true;
    }

    /// Inputs of a group stay in their order, so that matrices with equal groups have equal orders.
    @Override
    public int[] groupOrder() {
        if (groupOf == null) {
            return ModelWeights.IN_ORDER;
        }
        return IntStream.range(0, columns).boxed().sorted(Comparator.comparingInt(this::group))
                .mapToInt(Integer::intValue).toArray();
    }

    private static int input(int[] order, int place) {
        return order.length == 0 ? place : order[place];
    }

    private boolean zerosFit() {
        if (kind != Kind.GPTQ || zeros == null) {
            return true;
        }
        for (int group = 0; group < groups(); group++) {
            for (int row = 0; row < rows(); row++) {
                if (zero(row, group) > LARGEST) {
                    return false;
                }
            }
        }
        return true;
    }

    int groups() {
        return Math.ceilDiv(columns, groupColumns);
    }

    private int group(int column) {
        return groupOf == null ? column / groupColumns : groupOf[column];
    }

    private static int nibble(MemorySegment words, long word, int place) {
        return words.get(LittleEndian.INT, word * Integer.BYTES) >>> (4 * place) & LARGEST;
    }

    private int value(int row, int column) {
        int output = slice.first + row;
        return switch (kind) {
            case AWQ ->
                nibble(words, (long) column * outputWords() + output / PER_WORD, AWQ_NIBBLES[output % PER_WORD]);
            case GPTQ, GPTQ_V2 -> nibble(words, (long) (column / PER_WORD) * slice.outputs + output, column % PER_WORD);
            case PACKED ->
                nibble(words, (long) row * Math.ceilDiv(columns, PER_WORD) + column / PER_WORD, column % PER_WORD);
            case NONE, FP8 -> throw new IllegalStateException(kind + " has no 4-bit values");
        };
    }

    private int zero(int row, int group) {
        if (zeros == null) {
            return MIDDLE;
        }
        int output = slice.first + row;
        long word = (long) group * outputWords() + output / PER_WORD;
        return switch (kind) {
            case AWQ -> nibble(zeros, word, AWQ_NIBBLES[output % PER_WORD]);
            case GPTQ -> 1 + nibble(zeros, word, output % PER_WORD);
            case GPTQ_V2 -> nibble(zeros, word, output % PER_WORD);
            case PACKED -> nibble(zeros, (long) (row / PER_WORD) * groups() + group, row % PER_WORD);
            case NONE, FP8 -> throw new IllegalStateException(kind + " has no zero points");
        };
    }

    private float scale(int row, int group) {
        return scales.at(
                kind == Kind.PACKED ? (long) row * groups() + group : (long) group * slice.outputs + slice.first + row);
    }

    private int outputWords() {
        return slice.outputs / PER_WORD;
    }

    @Override
    public void row(int row, float[] destination) {
        for (int column = 0; column < columns; column++) {
            int group = group(column);
            destination[column] = (value(row, column) - zero(row, group)) * scale(row, group);
        }
    }

    @Override
    public void stored(StoredTensor tensor, int row, int[] order, ByteBuffer destination) {
        if (tensor.part() == StoredPart.INT4_VALUES) {
            for (int column = 0; column < columns; column += 2) {
                int high = column + 1 < columns ? value(row, input(order, column + 1)) : 0;
                destination.put((byte) (value(row, input(order, column)) | high << 4));
            }
            return;
        }
        for (int start = 0; start < columns; start += tensor.groupColumns()) {
            int group = group(input(order, start));
            if (tensor.part() == StoredPart.INT4_SCALES) {
                destination.putShort(Float.floatToFloat16(scale(row, group)));
            } else {
                destination.put((byte) zero(row, group));
            }
        }
    }
}
