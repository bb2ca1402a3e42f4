package org.inferometer.engine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Widens one row of a weight matrix to FP32, plainly: the reference that every kernel is held against.
final class MatrixRows {
    static final ValueLayout.OfShort SHORT_LE = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private MatrixRows() {}

    static void bf16(WeightMatrix.Bf16 matrix, int row, float[] destination, int offset) {
        long start = 2L * row * matrix.columns();
        for (int column = 0; column < matrix.columns(); column++) {
            destination[offset + column] = Bf16.decode(matrix.values().get(SHORT_LE, start + 2L * column));
        }
    }

    static void fp8(WeightMatrix.Fp8 matrix, int row, float[] destination, int offset) {
        long start = (long) row * matrix.columns();
        float scale = matrix.rowScales()[row];
        for (int column = 0; column < matrix.columns(); column++) {
            destination[offset + column] = E4m3.decode(matrix.values().get(ValueLayout.JAVA_BYTE, start + column)) * scale;
        }
    }

    static void int4(WeightMatrix.Int4 matrix, int row, float[] destination, int offset) {
        MemorySegment nibbles = matrix.nibbles();
        long start = (long) row * matrix.rowBytes();
        for (int column = 0; column < matrix.columns(); column++) {
            int pair = nibbles.get(ValueLayout.JAVA_BYTE, start + column / 2);
            int quantised = (column & 1) == 0 ? pair & 0xF : (pair >> 4) & 0xF;
            int group = row * matrix.groups() + column / WeightMatrix.Int4.GROUP_COLUMNS;
            destination[offset + column] = (quantised - matrix.zeros()[group]) * matrix.scales()[group];
        }
    }
}
