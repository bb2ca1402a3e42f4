package org.inferometer.telemetry;

import org.inferometer.record.MemoryOwner;

/// Bytes that each owner holds now. Called from the sampler's thread.
@FunctionalInterface
public interface MemoryAccount {
    /// Bytes of an owner; 0 for [MemoryOwner#JAVA_RUNTIME] and [MemoryOwner#UNATTRIBUTED], which the sampler adds.
    long bytes(MemoryOwner owner);

    /// The account of a process that runs no engine.
    static MemoryAccount empty() {
        return owner -> 0;
    }
}
