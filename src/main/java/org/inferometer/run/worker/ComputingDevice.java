package org.inferometer.run.worker;

import java.util.Optional;
import org.inferometer.execution.Executor;
import org.inferometer.telemetry.MemoryAccount;

/// The device that computes in a run, for telemetry.
///
/// @param books memory figures of the engine in this process
/// @param gpuUuid the GPU that computes, as "GPU-..."; empty for the CPU
public record ComputingDevice(MemoryAccount books, Optional<String> gpuUuid) {
    /// The device of an executor.
    static ComputingDevice of(Executor executor) {
        return new ComputingDevice(new ExecutorMemory(executor), executor.devices().getFirst().gpuUuid());
    }

    /// For a target that computes outside this process.
    public static ComputingDevice elsewhere() {
        return new ComputingDevice(MemoryAccount.empty(), Optional.empty());
    }
}
