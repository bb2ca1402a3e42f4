package org.inferometer.telemetry;

import org.inferometer.record.MemoryOwner;

/// Tells how many bytes each owner holds now. Called from the sampler's thread.
@FunctionalInterface
public interface MemoryAccount {
    /// Bytes of an owner other than [MemoryOwner#UNATTRIBUTED], which the sampler works out.
    long bytes(MemoryOwner owner);

    /// Books of a process that runs no engine.
    static MemoryAccount empty() {
        return owner -> 0;
    }
}
