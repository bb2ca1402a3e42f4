package org.inferometer.telemetry;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.record.MachineDescription;
import org.jspecify.annotations.Nullable;

/// Description and background load of this machine; no host name, user or path.
///
/// @param operatingSystem name and version: "Debian GNU/Linux 12, kernel 6.1.0"
/// @param physicalCores of the machine; 0 where not known
/// @param logicalCores that this process may use, a container's limit included
/// @param memoryBytes that this process may use, a container's limit included
/// @param freeMemoryBytes available without swapping
/// @param loadAverage runnable threads over the last minute; empty if the system does not report it
/// @param backgroundLoad share of all cores that other programs used while the probe watched; empty where not known
/// @param governor how the CPU chooses its frequency; empty where not readable
/// @param onBattery empty where not known
/// @param gpuStatus readings of each GPU in the driver's order; empty if the machine was only identified
public record MachineReport(String operatingSystem, String architecture, String processor, int physicalCores,
        int logicalCores, long memoryBytes, long freeMemoryBytes, OptionalDouble loadAverage,
        OptionalDouble backgroundLoad, Optional<String> governor, Optional<Boolean> onBattery, String javaRuntime,
        GpuReport gpus, List<GpuStatus> gpuStatus) {
    private static final Pattern JAVA_FLAG = Pattern.compile("-X[A-Za-z0-9:+=.,_-]{1,80}");

    /// The machine as records describe it.
    ///
    /// @param vectorBits width of the CPU's vectors; absent where this process does not compute
    /// @param version of this program
    public MachineDescription describe(@Nullable Integer vectorBits, String version) {
        MachineDescription.Environment environment =
                new MachineDescription.Environment(governor.orElse(""), javaFlags(), gpus.driverVersion(), gpuClocks(),
                        backgroundLoad.isPresent() ? backgroundLoad.getAsDouble() : null);
        return new MachineDescription(operatingSystem, architecture, processor, physicalCores, logicalCores,
                memoryBytes, javaRuntime, vectorBits, gpuNames(), version, environment);
    }

    /// Options of this Java runtime that decide its speed; none with a path.
    private static String javaFlags() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> JAVA_FLAG.matcher(flag).matches()).sorted().collect(Collectors.joining(" "));
    }

    private String gpuClocks() {
        return gpus.gpus().stream().flatMap(gpu -> Stream.ofNullable(gpu.settings().mostSmClockMegahertz()))
                .map(megahertz -> Math.round(megahertz) + " MHz").distinct().collect(Collectors.joining(", "));
    }

    /// Names of the GPUs, in the driver's order.
    public List<String> gpuNames() {
        return gpus.gpus().stream().map(GpuDescription::name).toList();
    }
}
