package org.inferometer.run;

import java.util.Optional;
import org.inferometer.execution.Executor;
import org.inferometer.telemetry.MemoryAccount;

/// What computes in a run, as telemetry needs to know it.
///
/// @param books what the engine of this process says of its memory
/// @param gpuUuid the GPU that computes, as "GPU-..."; empty where the CPU does
public record ComputingDevice(MemoryAccount books, Optional<String> gpuUuid) {
    /// That of an executor.
    static ComputingDevice of(Executor executor) {
        return new ComputingDevice(new ExecutorMemory(executor), executor.devices().getFirst().gpuUuid());
    }

    /// Nothing of this process: what is driven computes elsewhere.
    public static ComputingDevice elsewhere() {
        return new ComputingDevice(MemoryAccount.empty(), Optional.empty());
    }
}
