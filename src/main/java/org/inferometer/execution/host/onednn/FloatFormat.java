package org.inferometer.execution.host.onednn;

/// What weights and activations are converted or rounded to for the products of [FloatProducts].
public enum FloatFormat {
    /// Weights `[inputs][outputs]`. Every weight of every precision is an FP32 number, so nothing is rounded but the sums.
    FP32(4, 1),
    /// Weights `[inputs / 2][outputs][2]`. Activations are rounded to eight significant bits, halves to even, and so are INT4's
    /// weights with their scales applied; BF16's and FP8's weights are BF16 numbers as they are, FP8's without their channel's
    /// scale, which meets the sums.
    BF16(2, 16);

    private final int bytes;
    private final int maxSpeedupOverFp32;

    FloatFormat(int bytes, int maxSpeedupOverFp32) {
        this.bytes = bytes;
        this.maxSpeedupOverFp32 = maxSpeedupOverFp32;
    }

    /// How many times as many multiplications a processor does at most as in FP32: sixteen with tiles of matrices.
    public int maxSpeedupOverFp32() {
        return maxSpeedupOverFp32;
    }

    /// Bytes of a number.
    public int bytes() {
        return bytes;
    }

    /// Inputs of which the numbers for one output lie side by side: they fill four bytes.
    int inputsPerLine() {
        return Float.BYTES / bytes;
    }
}
