package org.inferometer.engine.gguf;

import java.util.Arrays;
import java.util.Optional;

/// The number formats of tensors that are read. Blocks of values share scales.
///
/// Source of numbers and layouts: ggml's published block structures.
public enum GgufType {
    F32(0, 1, 4), F16(1, 1, 2), Q4_0(2, 32, 18), Q4_1(3, 32, 20), Q5_0(6, 32, 22), Q5_1(7, 32, 24), Q8_0(8, 32, 34),
    Q4_K(12, 256, 144), Q5_K(13, 256, 176), Q6_K(14, 256, 210), BF16(30, 1, 2);

    private final int code;
    private final int blockValues;
    private final int blockBytes;

    GgufType(int code, int blockValues, int blockBytes) {
        this.code = code;
        this.blockValues = blockValues;
        this.blockBytes = blockBytes;
    }

    static Optional<GgufType> of(int code) {
        return Arrays.stream(values()).filter(type -> type.code == code).findFirst();
    }

    /// Values of a block.
    public int blockValues() {
        return blockValues;
    }

    /// Bytes of a block.
    public int blockBytes() {
        return blockBytes;
    }

    /// Bytes of so many values, a multiple of a block.
    public long bytes(long values) {
        return values / blockValues * blockBytes;
    }
}
