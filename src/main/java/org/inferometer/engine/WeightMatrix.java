package org.inferometer.engine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.inferometer.engine.files.LittleEndian;

/// A weight matrix in the mapped file: `[rows = outputs, columns = inputs]`, row-major, y = W·x.
///
/// The segments are read-only views of the engine's file, valid while the [Engine] is open. Any thread may read.
public sealed interface WeightMatrix {
    /// Outputs.
    int rows();

    /// Inputs.
    int columns();

    /// The format of the values.
    Precision precision();

    /// Writes row `row` as FP32 to `destination[offset .. offset + columns)`: the reference for every kernel.
    void row(int row, float[] destination, int offset);

    /// bfloat16 values `[rows, columns]`, little-endian.
    record Bf16(int rows, int columns, MemorySegment values) implements WeightMatrix {
        @Override
        public Precision precision() {
            return Precision.BF16;
        }

        @Override
        public void row(int row, float[] destination, int offset) {
            MatrixRows.bf16(this, row, destination, offset);
        }
    }

    /// E4M3 values `[rows, columns]`; w = e4m3 × scale of its row, or of its group of inputs.
    ///
    /// @param groupColumns inputs with a common scale: [#GROUP_COLUMNS], the last group of a row may be shorter; 0 for whole rows
    /// @param scales FP32 `[rows, groups]`, little-endian; checked by [Engine#open], those of groups by [Engine#checkValues]
    record Fp8(int rows, int columns, int groupColumns, MemorySegment values,
            MemorySegment scales) implements WeightMatrix {
        /// Inputs of a group.
        public static final int GROUP_COLUMNS = 128;

        /// @throws IllegalArgumentException if groups have another width
        public Fp8 {
            if (groupColumns != 0 && groupColumns != GROUP_COLUMNS) {
                throw new IllegalArgumentException("FP8 groups of " + groupColumns + " inputs");
            }
        }

        /// A scale for each row.
        public Fp8(int rows, int columns, MemorySegment values, float[] rowScales) {
            this(rows, columns, 0, values, MatrixRows.floats(rowScales));
        }

        /// The scale of a group of a row; of whole rows the group is 0.
        public float scale(int row, int group) {
            return scales.get(LittleEndian.FLOAT, 4 * ((long) row * groups() + group));
        }

        /// Groups in a row.
        public int groups() {
            return groups(columns, groupColumns);
        }

        /// Groups in a row of so many inputs.
        public static int groups(int columns, int groupColumns) {
            return groupColumns == 0 ? 1 : Math.ceilDiv(columns, groupColumns);
        }

        @Override
        public Precision precision() {
            return Precision.FP8;
        }

        @Override
        public void row(int row, float[] destination, int offset) {
            MatrixRows.fp8(this, row, destination, offset);
        }
    }

    /// Signed 8-bit values `[rows, columns]`; w = q × scale of its group, exact in FP32.
    ///
    /// Scales stay in the file and are decoded on access; [Engine#checkValues] checks them.
    ///
    /// @param scales FP16 of either sign `[rows, groups]`, little-endian
    record Int8(int rows, int columns, MemorySegment values, MemorySegment scales) implements WeightMatrix {
        /// Inputs of a group; the last one of a row may be shorter.
        public static final int GROUP_COLUMNS = 32;

        /// The scale of a group of a row.
        public float scale(int row, int group) {
            return Float.float16ToFloat(half(row, group));
        }

        /// The same in FP16.
        public short half(int row, int group) {
            return scales.get(LittleEndian.SHORT, 2 * ((long) row * groups() + group));
        }

        /// Groups in a row.
        public int groups() {
            return Math.ceilDiv(columns, GROUP_COLUMNS);
        }

        @Override
        public Precision precision() {
            return Precision.INT8;
        }

        @Override
        public void row(int row, float[] destination, int offset) {
            MatrixRows.int8(this, row, destination, offset);
        }
    }

    /// 4-bit values `[rows, ceil(columns/2)]` bytes, the even input in the low nibble; w = (q − zero) × scale per group.
    ///
    /// Scales and zero points stay in the file and are decoded on access; [Engine#checkValues] checks them.
    ///
    /// @param groupColumns inputs with a common scale and zero point, one of [#GROUPS]; the last group of a row may be shorter
    /// @param scales FP16 `[rows, groups]`, little-endian
    /// @param zeros one byte each, `[rows, groups]`, 0 to 15
    record Int4(int rows, int columns, int groupColumns, MemorySegment nibbles, MemorySegment scales,
            MemorySegment zeros) implements WeightMatrix {
        /// Inputs of a group as the quantisers make it, and the most.
        public static final int GROUP_COLUMNS = 128;
        /// The widths of groups, widest first.
        public static final List<Integer> GROUPS = List.of(GROUP_COLUMNS, 64, 32);

        /// @throws IllegalArgumentException if groups have another width
        public Int4 {
            if (!GROUPS.contains(groupColumns)) {
                throw new IllegalArgumentException("INT4 groups of " + groupColumns + " inputs");
            }
        }

        /// An in-memory matrix from zero points and FP16-representable scales, in groups of [#GROUP_COLUMNS].
        ///
        /// @throws IllegalArgumentException if a scale is not representable in FP16
        public Int4(int rows, int columns, MemorySegment nibbles, float[] scales, byte[] zeros) {
            this(rows, columns, GROUP_COLUMNS, nibbles, scales, zeros);
        }

        /// The same in groups of this width.
        ///
        /// @throws IllegalArgumentException if a scale is not representable in FP16, or groups have another width
        public Int4(int rows, int columns, int groupColumns, MemorySegment nibbles, float[] scales, byte[] zeros) {
            this(rows, columns, groupColumns, nibbles, MatrixRows.halves(scales), MemorySegment.ofArray(zeros));
        }

        /// The scale of a group of a row.
        public float scale(int row, int group) {
            return Float.float16ToFloat(scales.get(LittleEndian.SHORT, 2 * ((long) row * groups() + group)));
        }

        /// The zero point of a group of a row.
        public int zero(int row, int group) {
            return zeros.get(ValueLayout.JAVA_BYTE, (long) row * groups() + group) & 0xFF;
        }

        /// Groups in a row.
        public int groups() {
            return Math.ceilDiv(columns, groupColumns);
        }

        /// Bytes of nibbles in a row.
        public int rowBytes() {
            return rowBytes(columns);
        }

        /// Bytes of nibbles in a row of this many inputs.
        public static int rowBytes(int columns) {
            return Math.ceilDiv(columns, 2);
        }

        @Override
        public Precision precision() {
            return Precision.INT4;
        }

        @Override
        public void row(int row, float[] destination, int offset) {
            MatrixRows.int4(this, row, destination, offset);
        }
    }
}
