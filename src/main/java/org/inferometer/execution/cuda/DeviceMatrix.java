package org.inferometer.execution.cuda;

import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightMatrix;

/// A weight matrix W on the device for y = W·x. Rows are outputs, padded with zeros to groups of 128 inputs.
///
/// @param values `[outputs][strideBytes]`, codes as in the engine's file
/// @param scales FP8: FP32 `[outputs]`; INT4: words `[outputs][paddedInputs / 128]` with FP16 scale (low half) and zero
///     point (high half); BF16: unused
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

    /// Bytes of scales for a number of outputs.
    static long scaleBytes(Precision precision, long outputs, int paddedInputs) {
        return switch (precision) {
            case BF16 -> 0;
            case FP8 -> Float.BYTES * outputs;
            case INT4 -> Integer.BYTES * outputs * (paddedInputs / WeightMatrix.Int4.GROUP_COLUMNS);
        };
    }

    /// Bytes of these rows on the device.
    static long bytes(DeviceMatrixRows rows) {
        long outputs = rows.count();
        Precision precision = rows.precision();
        int padded = PaddedWidth.inputs(rows.columns());
        return outputs * strideBytes(precision, padded) + scaleBytes(precision, outputs, padded);
    }

    /// The format in kernel names.
    String format() {
        return precision.id();
    }
}
