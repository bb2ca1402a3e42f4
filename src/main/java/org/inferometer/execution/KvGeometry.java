package org.inferometer.execution;

import org.inferometer.scheduling.PoolId;

/// The size of one KV pool.
///
/// @param blockTokens positions in a block
/// @param blocks blocks in the pool
/// @param blockBytes bytes of a block over all layers
public record KvGeometry(PoolId pool, int blockTokens, int blocks, long blockBytes) {
    /// Bytes of the whole pool.
    public long bytes() {
        return blocks * blockBytes;
    }
}
