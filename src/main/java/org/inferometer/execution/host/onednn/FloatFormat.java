package org.inferometer.execution.host.onednn;

/// What weights and activations are widened or rounded to for the products of [FloatProducts].
public enum FloatFormat {
    /// Weights `[inputs][outputs]`. Every weight of every precision is an FP32 number, so nothing is rounded but the sums.
    FP32(4, 1),
    /// Weights `[inputs / 2][outputs][2]`. Activations are rounded to eight significant bits, halves to even, and so are INT4's
    /// weights with their scales applied; BF16's and FP8's weights are BF16 numbers as they are, FP8's without their channel's
    /// scale, which meets the sums.
    BF16(2, 16);

    private final int bytes;
    private final int mostOverFp32;

    FloatFormat(int bytes, int mostOverFp32) {
        this.bytes = bytes;
        this.mostOverFp32 = mostOverFp32;
    }

    /// How many times as many multiplications a processor does at most as in FP32: sixteen with tiles of matrices.
    public int mostOverFp32() {
        return mostOverFp32;
    }

    /// Bytes of a number.
    public int bytes() {
        return bytes;
    }

    /// Inputs of which the numbers for one output lie side by side: they fill four bytes.
    int inputsALine() {
        return Float.BYTES / bytes;
    }
}
