package org.inferometer.engine.safetensors;

/// A tensor and its bytes `[begin, end)` after the header.
public record TensorEntry(TensorSpec spec, long begin, long end) {
    /// Size in bytes.
    public long bytes() {
        return end - begin;
    }
}
