package org.inferometer.execution.host.onednn;

/// Number formats of weights and activations in [FloatProducts].
public enum FloatFormat {
    /// Weights `[inputs][outputs]`. FP32 holds every weight of every precision exactly; only sums are rounded.
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

    /// Upper bound of the multiplication rate relative to FP32: 16 with matrix tiles (AMX).
    public int maxSpeedupOverFp32() {
        return maxSpeedupOverFp32;
    }

    /// Bytes of a number.
    public int bytes() {
        return bytes;
    }

    /// Inputs of one output that lie side by side: four bytes.
    int inputsPerLine() {
        return Float.BYTES / bytes;
    }
}
