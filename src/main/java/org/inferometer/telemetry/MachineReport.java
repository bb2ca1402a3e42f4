package org.inferometer.telemetry;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// What this machine is and how quiet it is now; holds no host, user or path.
///
/// @param operatingSystem name and version: "Debian GNU/Linux 12, kernel 6.1.0"
/// @param physicalCores of the machine; 0 where not known
/// @param logicalCores that this process may use, a container's limit included
/// @param memoryBytes that this process may use, a container's limit included
/// @param freeMemoryBytes available without swapping
/// @param loadAverage runnable threads over the last minute; empty where the system does not tell
/// @param backgroundLoad share of all cores that other programs used while the probe watched; empty where not known
/// @param governor how the CPU chooses its frequency; empty where not readable
/// @param onBattery empty where not known
/// @param gpuStatus how each GPU was doing, in the driver's order; empty where the machine was only identified
public record MachineReport(String operatingSystem, String architecture, String processor, int physicalCores,
        int logicalCores, long memoryBytes, long freeMemoryBytes, OptionalDouble loadAverage,
        OptionalDouble backgroundLoad, Optional<String> governor, Optional<Boolean> onBattery, String javaRuntime,
        GpuReport gpus, List<GpuStatus> gpuStatus) {
    /// Names of the GPUs, in the driver's order.
    public List<String> gpuNames() {
        return gpus.gpus().stream().map(GpuDescription::name).toList();
    }
}
