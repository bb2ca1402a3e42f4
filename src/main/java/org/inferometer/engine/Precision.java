package org.inferometer.engine;

import java.util.Locale;

/// The number format of an engine's weight matrices.
public enum Precision {
    /// bfloat16, the reference for quality.
    BF16,
    /// FP8 E4M3 with one FP32 scale per output channel, or one for each 128 inputs of it.
    FP8,
    /// Signed 8-bit integers in groups of 32 inputs, each group with an FP16 scale: Q8_0 of GGUF.
    INT8,
    /// 4-bit unsigned integers in groups of 128, 64 or 32 inputs, each group with an FP16 scale and a zero point.
    INT4;

    /// Whether values are integers in groups with a scale.
    public boolean isInteger() {
        return this == INT8 || this == INT4;
    }

    /// The name in engine names, files and tables: "fp8".
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
