package org.inferometer.record;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where it was measured, without host, user or path.
///
/// @param gpus names of NVIDIA GPUs, empty without one
/// @param vectorBits width of the CPU's vectors as the Vector API prefers them; absent where the process that says it does not compute
public record MachineDescription(@JsonProperty("operatingSystem") String operatingSystem,
        @JsonProperty("architecture") String architecture, @JsonProperty("processor") String processor,
        @JsonProperty("physicalCores") int physicalCores, @JsonProperty("logicalCores") int logicalCores,
        @JsonProperty("memoryBytes") long memoryBytes, @JsonProperty("javaRuntime") String javaRuntime,
        @JsonProperty("vectorBits") @Nullable Integer vectorBits, @JsonProperty("gpus") List<String> gpus,
        @JsonProperty("inferometerVersion") String inferometerVersion) {}
