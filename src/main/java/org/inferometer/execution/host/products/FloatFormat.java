package org.inferometer.execution.host.products;

/// Number formats of weights and activations in [FloatProducts].
public enum FloatFormat {
    /// Weights `[inputs][outputs]`. FP32 holds every weight as `WeightMatrix.row` gives it; only sums are rounded.
    FP32(4),
    /// Weights `[inputs / 2][outputs][2]`. Activations, and weights times the scale of a group, are rounded to BF16, halves
    /// to even. BF16 weights and FP8 codes are exact; FP8's channel scale multiplies the sums.
    BF16(2);

    private final int bytes;

    FloatFormat(int bytes) {
        this.bytes = bytes;
    }

    /// Bytes of a number.
    public int bytes() {
        return bytes;
    }

    /// Adjacent inputs of one output: four bytes.
    int inputsPerLine() {
        return Float.BYTES / bytes;
    }
}
