package org.inferometer.engine.checkpoint;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.inferometer.engine.E4m3;
import org.inferometer.engine.ModelWeights;
import org.inferometer.engine.Precision;
import org.inferometer.engine.StoredTensor;
import org.inferometer.engine.StoredTensor.StoredPart;
import org.inferometer.engine.WeightMatrix;

/// An FP8 matrix `[rows, columns]` with one scale, a scale for each output, or one for each block: w = e4m3 × scale.
///
/// @param blockRows with [#blockColumns], rows and columns of a block; the last ones may be shorter
record Fp8Matrix(int rows, int columns, MemorySegment codes, FloatTensor scales, int blockRows,
        int blockColumns) implements QuantisedMatrix {
    private static final int NAN = 0x7F;

    @Override
    public Precision precision() {
        return Precision.FP8;
    }

    /// Scales of blocks are repeated for each output, and for each group of the engine.
    @Override
    public boolean isKept(int groupColumns, int[] order) {
        return order.length == 0 && (blockColumns >= columns || (groupColumns > 0 && blockColumns % groupColumns == 0));
    }

    @Override
    public int[] groupOrder() {
        return ModelWeights.IN_ORDER;
    }

    private float scale(int row, int column) {
        return scales.at((long) (row / blockRows) * Math.ceilDiv(columns, blockColumns) + column / blockColumns);
    }

    private byte code(int row, int column) {
        byte code = codes.get(ValueLayout.JAVA_BYTE, (long) row * columns + column);
        if ((code & NAN) == NAN) {
            throw new IllegalArgumentException("a value is not finite");
        }
        return code;
    }

    @Override
    public void row(int row, float[] destination) {
        for (int start = 0; start < columns; start += blockColumns) {
            float scale = scale(row, start);
            for (int column = start; column < Math.min(columns, start + blockColumns); column++) {
                destination[column] = E4m3.decode(code(row, column)) * scale;
            }
        }
    }

    @Override
    public void stored(StoredTensor tensor, int row, int[] order, ByteBuffer destination) {
        if (tensor.part() == StoredPart.FP8_SCALES) {
            int groups = WeightMatrix.Fp8.groups(columns, tensor.groupColumns());
            for (int group = 0; group < groups; group++) {
                destination.putFloat(scale(row, group * tensor.groupColumns()));
            }
            return;
        }
        for (int column = 0; column < columns; column++) {
            destination.put(code(row, column));
        }
    }
}
