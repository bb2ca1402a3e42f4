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

    /// The name of a type that is not read, or its number.
    static String named(int code) {
        return switch (code) {
            case 10 -> "Q2_K";
            case 11 -> "Q3_K";
            case 15 -> "Q8_K";
            case 16 -> "IQ2_XXS";
            case 17 -> "IQ2_XS";
            case 18 -> "IQ3_XXS";
            case 19 -> "IQ1_S";
            case 20 -> "IQ4_NL";
            case 21 -> "IQ3_S";
            case 22 -> "IQ2_S";
            case 23 -> "IQ4_XS";
            case 29 -> "IQ1_M";
            case 34 -> "TQ1_0";
            case 35 -> "TQ2_0";
            case 39 -> "MXFP4";
            default -> String.valueOf(code);
        };
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
