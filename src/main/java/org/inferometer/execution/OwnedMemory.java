package org.inferometer.execution;

/// Allocated bytes of an executor, by owner.
///
/// @param weightBytes mapped weights
/// @param kvBytes KV pools
/// @param activationBytes buffers sized by the rows of a step
/// @param workspaceBytes all other allocations
public record OwnedMemory(long weightBytes, long kvBytes, long activationBytes, long workspaceBytes) {
    /// The sum of both.
    OwnedMemory plus(OwnedMemory other) {
        return new OwnedMemory(weightBytes + other.weightBytes, kvBytes + other.kvBytes,
                activationBytes + other.activationBytes, workspaceBytes + other.workspaceBytes);
    }

    /// Bytes of all owners.
    public long totalBytes() {
        return weightBytes + kvBytes + activationBytes + workspaceBytes;
    }
}
