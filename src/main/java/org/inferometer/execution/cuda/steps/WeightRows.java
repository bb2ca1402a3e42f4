package org.inferometer.execution.cuda.steps;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.inferometer.engine.WeightMatrix;
import org.inferometer.execution.cuda.device.DeviceFormat;
import org.inferometer.execution.cuda.device.KernelTiles;

/// Rows of weights and their scales as the device's kernels expect them, written to host memory.
final class WeightRows {
    /// FP16 of 1.
    private static final int ONE = 0x3c00;
    /// BF16 of -128; the zero point is added to its mantissa.
    private static final int MINUS_128 = 0xc300;

    private WeightRows() {}

    /// Fills the target with rows from `first`, zeros where there is no row. Groups whose scale is zero become zeros.
    ///
    /// @param rowBytes bytes of a row in the target
    static void values(DeviceMatrixRows rows, int first, MemorySegment target, int rowBytes) {
        target.fill((byte) 0);
        for (int i = 0; i < target.byteSize() / rowBytes; i++) {
            WeightMatrix matrix = matrix(rows, first + i);
            int row = row(rows, first + i);
            if (row < matrix.rows()) {
                values(matrix, row, target, (long) i * rowBytes);
            }
        }
    }

    private static void values(WeightMatrix matrix, int row, MemorySegment target, long at) {
        switch (matrix) {
            case WeightMatrix.Bf16 bf16 ->
                MemorySegment.copy(bf16.values(), 2L * row * bf16.columns(), target, at, 2L * bf16.columns());
            case WeightMatrix.Fp8 fp8 ->
                MemorySegment.copy(fp8.values(), (long) row * fp8.columns(), target, at, fp8.columns());
            case WeightMatrix.Int8 _ -> throw DeviceFormat.noKernels();
            case WeightMatrix.Int4 int4 -> {
                MemorySegment.copy(int4.nibbles(), (long) row * int4.rowBytes(), target, at, int4.rowBytes());
                int groupBytes = int4.groupColumns() / 2;
                for (int group = 0; group < int4.groups(); group++) {
                    if (int4.scale(row, group) == 0) {
                        int from = group * groupBytes;
                        target.asSlice(at + from, Math.min(groupBytes, int4.rowBytes() - from)).fill((byte) 0);
                    }
                }
            }
        }
    }

    /// Fills the target with the scales of rows from `first`: FP8 one FP32 a row; INT4 words `[tiles][groups][16]`, in
    /// which a scale of zero and a missing row have the scale 1 and the zero point 0.
    ///
    /// @param groups of a row
    static void scales(DeviceMatrixRows rows, int first, MemorySegment target, int groups) {
        long words = target.byteSize() / Integer.BYTES;
        switch (rows.format().precision()) {
            case BF16 -> throw new IllegalStateException("BF16 has no scales");
            case FP8 -> {
                for (int i = 0; i < words; i++) {
                    WeightMatrix.Fp8 matrix = (WeightMatrix.Fp8) matrix(rows, first + i);
                    int row = row(rows, first + i);
                    target.setAtIndex(ValueLayout.JAVA_FLOAT, i, row < matrix.rows() ? matrix.scale(row, 0) : 0);
                }
            }
            case INT8 -> throw DeviceFormat.noKernels();
            case INT4 -> {
                for (int i = 0; i < words; i++) {
                    int at = first + i / (groups * KernelTiles.TILE_ROWS) * KernelTiles.TILE_ROWS
                            + i % KernelTiles.TILE_ROWS;
                    int group = i / KernelTiles.TILE_ROWS % groups;
                    target.setAtIndex(ValueLayout.JAVA_INT, i,
                            scale((WeightMatrix.Int4) matrix(rows, at), row(rows, at), group));
                }
            }
        }
    }

    private static int scale(WeightMatrix.Int4 matrix, int row, int group) {
        if (row >= matrix.rows() || group >= matrix.groups() || matrix.scale(row, group) == 0) {
            return ONE | MINUS_128 << 16;
        }
        return Short.toUnsignedInt(Float.floatToFloat16(matrix.scale(row, group)))
                | (MINUS_128 | matrix.zero(row, group)) << 16;
    }

    private static WeightMatrix matrix(DeviceMatrixRows rows, int at) {
        return rows.matrices().get(at < rows.count() ? rows.source(at).matrix() : 0);
    }

    /// The row in its matrix; after its last where the device's row is padding.
    private static int row(DeviceMatrixRows rows, int at) {
        return at < rows.count() ? rows.source(at).row() : Integer.MAX_VALUE;
    }
}
