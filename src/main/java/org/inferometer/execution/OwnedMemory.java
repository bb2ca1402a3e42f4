package org.inferometer.execution;

/// Bytes that the executor has taken, by owner, from its own books.
///
/// @param weightBytes mapped weights
/// @param kvBytes KV pools
/// @param activationBytes buffers sized by the rows of a step
/// @param workspaceBytes everything else it allocated
public record OwnedMemory(long weightBytes, long kvBytes, long activationBytes, long workspaceBytes) {
    /// Bytes of all owners.
    public long totalBytes() {
        return weightBytes + kvBytes + activationBytes + workspaceBytes;
    }
}
