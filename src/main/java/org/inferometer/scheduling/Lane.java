package org.inferometer.scheduling;

import com.fasterxml.jackson.annotation.JsonProperty;

/// A stream of execution: a CUDA stream or a group of CPU threads. It runs one step at a time.
///
/// @param pool the pool of the keys and values that it computes; for a transfer lane, the pool it copies into
/// @param priority for the device, which may ignore it; lower numbers go first as with CUDA streams, 0 is the default
public record Lane(@JsonProperty("id") LaneId id, @JsonProperty("role") Role role, @JsonProperty("pool") PoolId pool,
        @JsonProperty("priority") int priority) {
    /// A lane of default priority.
    public Lane(LaneId id, Role role, PoolId pool) {
        this(id, role, pool, 0);
    }

    /// The work that a lane accepts.
    public enum Role {
        /// Prefill and decode.
        @JsonProperty("ANY")
        ANY,
        /// Prefill only.
        @JsonProperty("PREFILL")
        PREFILL,
        /// Decode only.
        @JsonProperty("DECODE")
        DECODE,
        /// Transfers between KV pools.
        @JsonProperty("TRANSFER")
        TRANSFER
    }
}
