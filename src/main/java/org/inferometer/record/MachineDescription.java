package org.inferometer.record;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where it was measured, without host, user or path.
///
/// @param gpus names of NVIDIA GPUs, empty without one
/// @param vectorBits width of the CPU's vectors as the Vector API prefers them; absent where the process that says it does not compute
public record MachineDescription(String operatingSystem, String architecture, String processor, int physicalCores,
        int logicalCores, long memoryBytes, String javaRuntime, @Nullable Integer vectorBits, List<String> gpus,
        String inferometerVersion) {}
