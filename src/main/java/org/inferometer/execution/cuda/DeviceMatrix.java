package org.inferometer.execution.cuda;

import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightMatrix;

/// A weight matrix on the device, y = W·x: rows are outputs, each padded with zeros to whole groups of 128 inputs.
///
/// @param values `[outputs][strideBytes]`, codes as in the engine's file
/// @param scales FP8: FP32 `[outputs]`; INT4: a word for each `[outputs][paddedInputs / 128]`, FP16 scale in the low half and the
///     zero point in the high one; BF16: not looked at
/// @param paddedInputs multiple of 128
record DeviceMatrix(Precision precision, DeviceAddress values, DeviceAddress scales, int outputs, int paddedInputs,
        int strideBytes) {
    /// Bits of a value.
    static int bits(Precision precision) {
        return switch (precision) {
            case BF16 -> 16;
            case FP8 -> 8;
            case INT4 -> 4;
        };
    }

    static int strideBytes(Precision precision, int paddedInputs) {
        return paddedInputs * bits(precision) / 8;
    }

    /// Bytes of scales for so many outputs.
    static long scaleBytes(Precision precision, long outputs, int paddedInputs) {
        return switch (precision) {
            case BF16 -> 0;
            case FP8 -> Float.BYTES * outputs;
            case INT4 -> Integer.BYTES * outputs * (paddedInputs / WeightMatrix.Int4.GROUP_COLUMNS);
        };
    }

    /// Bytes that rows so arranged take on the device.
    static long bytes(DeviceMatrixRows rows) {
        long outputs = rows.count();
        Precision precision = rows.precision();
        int padded = PaddedWidth.inputs(rows.columns());
        return outputs * strideBytes(precision, padded) + scaleBytes(precision, outputs, padded);
    }

    /// The name that kernels have for its format.
    String format() {
        return precision.id();
    }
}
