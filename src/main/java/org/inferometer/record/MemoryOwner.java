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
    /// The Java runtime of the process that computes: touched heap, code and classes. Not on a GPU.
    JAVA_RUNTIME,
    /// The rest of the total, which no owner accounts for.
    UNATTRIBUTED;

    /// The spelling in records: "kv_cache".
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The display name: "KV cache".
    public String label() {
        return switch (this) {
            case WEIGHTS -> "Weights";
            case KV_CACHE -> "KV cache";
            case ACTIVATIONS -> "Activations";
            case WORKSPACE -> "Workspace";
            case JAVA_RUNTIME -> "Java runtime";
            case UNATTRIBUTED -> "Unattributed";
        };
    }
}
