package org.inferometer.record;

import java.util.Locale;

/// To whom device memory belongs.
public enum MemoryOwner {
    /// Model weights (mapped from the engine's file on the host).
    WEIGHTS,
    /// The KV cache's pools.
    KV_CACHE,
    /// Buffers of the forward pass.
    ACTIVATIONS,
    /// Everything else the executor allocated.
    WORKSPACE,
    /// The rest of the total: what nobody's books explain. Shown, never hidden.
    UNATTRIBUTED;

    /// The spelling in records: "kv_cache".
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The name people read: "KV cache".
    public String label() {
        return this == KV_CACHE ? "KV cache" : name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
    }
}
