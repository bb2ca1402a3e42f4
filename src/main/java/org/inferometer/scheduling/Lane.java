package org.inferometer.scheduling;

/// A stream of execution: a CUDA stream or a group of CPU threads. It runs one step at a time.
///
/// @param pool the pool of the keys and values that it computes; for a transfer lane, the pool it copies into
/// @param priority for the device, which may ignore it; lower numbers go first as with CUDA streams, 0 is the default
public record Lane(LaneId id, Role role, PoolId pool, int priority) {
    /// A lane of default priority.
    public Lane(LaneId id, Role role, PoolId pool) {
        this(id, role, pool, 0);
    }

    /// The work that a lane accepts.
    public enum Role {
        /// Prefill and decode.
        ANY,
        /// Prefill only.
        PREFILL,
        /// Decode only.
        DECODE,
        /// Transfers between KV pools.
        TRANSFER
    }
}
