package org.inferometer.run.worker;

import org.inferometer.execution.Executor;
import org.inferometer.execution.Executor.OwnedMemory;
import org.inferometer.record.MemoryOwner;
import org.inferometer.telemetry.MemoryAccount;

/// Maps the memory figures of an executor to telemetry.
record ExecutorMemory(Executor executor) implements MemoryAccount {
    @Override
    public long bytes(MemoryOwner owner) {
        OwnedMemory memory = executor.memory();
        return switch (owner) {
            case WEIGHTS -> memory.weightBytes();
            case KV_CACHE -> memory.kvBytes();
            case ACTIVATIONS -> memory.activationBytes();
            case WORKSPACE -> memory.workspaceBytes();
            case JAVA_RUNTIME, UNATTRIBUTED -> 0;
        };
    }
}
