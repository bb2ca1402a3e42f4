package org.inferometer.execution;

/// Bytes that an executor has allocated, by owner.
///
/// @param weightBytes mapped weights
/// @param kvBytes KV pools
/// @param activationBytes buffers sized by the rows of a step
/// @param workspaceBytes everything else it allocated
public record OwnedMemory(long weightBytes, long kvBytes, long activationBytes, long workspaceBytes) {
    /// Both together.
    OwnedMemory plus(OwnedMemory other) {
        return new OwnedMemory(weightBytes + other.weightBytes, kvBytes + other.kvBytes,
                activationBytes + other.activationBytes, workspaceBytes + other.workspaceBytes);
    }

    /// Bytes of all owners.
    public long totalBytes() {
        return weightBytes + kvBytes + activationBytes + workspaceBytes;
    }
}
