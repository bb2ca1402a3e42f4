package org.inferometer.execution.host.attention;

/// Number formats of the KV cache.
public enum KvDtype {
    /// 4 bytes an element.
    FP32(4),
    /// bfloat16: half the memory, rounded to 8 significant bits.
    BF16(2);

    private final int bytes;

    KvDtype(int bytes) {
        this.bytes = bytes;
    }

    /// Bytes of an element.
    public int bytes() {
        return bytes;
    }
}
