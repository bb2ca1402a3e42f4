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
    /// The rest of the total, which no owner accounts for.
    UNATTRIBUTED;

    /// The spelling in records: "kv_cache".
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The display name: "KV cache".
    public String label() {
        return this == KV_CACHE ? "KV cache" : name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
    }
}
