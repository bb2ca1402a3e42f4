package org.inferometer.engine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.inferometer.engine.files.LittleEndian;

/// Decodes one row of a weight matrix to FP32 without vectors: the reference for every kernel.
final class MatrixRows {

    private MatrixRows() {}

    static void bf16(WeightMatrix.Bf16 matrix, int row, float[] destination, int offset) {
        long start = 2L * row * matrix.columns();
        for (int column = 0; column < matrix.columns(); column++) {
            destination[offset + column] =
                    Bfloat16.decode(matrix.values().get(LittleEndian.SHORT, start + 2L * column));
        }
    }

    static void fp8(WeightMatrix.Fp8 matrix, int row, float[] destination, int offset) {
        long start = (long) row * matrix.columns();
        int width = matrix.groupColumns() == 0 ? matrix.columns() : matrix.groupColumns();
        for (int group = 0; group < matrix.groups(); group++) {
            float scale = matrix.scale(row, group);
            int end = Math.min(matrix.columns(), (group + 1) * width);
            for (int column = group * width; column < end; column++) {
                destination[offset + column] =
                        E4m3.decode(matrix.values().get(ValueLayout.JAVA_BYTE, start + column)) * scale;
            }
        }
    }

    static void int8(WeightMatrix.Int8 matrix, int row, float[] destination, int offset) {
        long start = (long) row * matrix.columns();
        for (int column = 0; column < matrix.columns(); column++) {
            destination[offset + column] = matrix.values().get(ValueLayout.JAVA_BYTE, start + column)
                    * matrix.scale(row, column / WeightMatrix.Int8.GROUP_COLUMNS);
        }
    }

    static void int4(WeightMatrix.Int4 matrix, int row, float[] destination, int offset) {
        MemorySegment nibbles = matrix.nibbles();
        long start = (long) row * matrix.rowBytes();
        for (int group = 0; group < matrix.groups(); group++) {
            float scale = matrix.scale(row, group);
            int zero = matrix.zero(row, group);
            int end = Math.min(matrix.columns(), (group + 1) * matrix.groupColumns());
            for (int column = group * matrix.groupColumns(); column < end; column++) {
                int pair = nibbles.get(ValueLayout.JAVA_BYTE, start + column / 2);
                int quantised = (column & 1) == 0 ? pair & 0xF : (pair >> 4) & 0xF;
                destination[offset + column] = (quantised - zero) * scale;
            }
        }
    }

    /// FP32, little-endian, like FP8 scales in the file.
    static MemorySegment floats(float[] scales) {
        MemorySegment floats = MemorySegment.ofArray(new byte[4 * scales.length]);
        for (int index = 0; index < scales.length; index++) {
            floats.set(LittleEndian.FLOAT, 4L * index, scales[index]);
        }
        return floats;
    }

    /// FP16, little-endian, like INT4 scales in the file.
    static MemorySegment halves(float[] scales) {
        MemorySegment halves = MemorySegment.ofArray(new byte[2 * scales.length]);
        for (int index = 0; index < scales.length; index++) {
            short half = Float.floatToFloat16(scales[index]);
            if (Float.compare(Float.float16ToFloat(half), scales[index]) != 0) {
                throw new IllegalArgumentException("An INT4 scale is not a widened FP16 number: " + scales[index]);
            }
            halves.set(LittleEndian.SHORT, 2L * index, half);
        }
        return halves;
    }
}
