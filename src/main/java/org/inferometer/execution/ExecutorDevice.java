package org.inferometer.execution;

import java.util.Optional;

/// A device of an executor.
///
/// @param uuid of a GPU as nvidia-smi prints it ("GPU-..."); empty for the CPU
/// @param memory owned by the executor
public record ExecutorDevice(String uuid, OwnedMemory memory) {
    /// The CPU.
    public static ExecutorDevice cpu(OwnedMemory memory) {
        return new ExecutorDevice("", memory);
    }

    /// The UUID if this is a GPU.
    public Optional<String> gpuUuid() {
        return uuid.isEmpty() ? Optional.empty() : Optional.of(uuid);
    }
}
