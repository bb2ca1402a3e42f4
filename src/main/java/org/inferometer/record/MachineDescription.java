package org.inferometer.record;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// Where it was measured, without host, user or path.
///
/// @param gpus names of NVIDIA GPUs, empty without one
/// @param environment what may change on it; absent in older records and of imported results
/// @param vectorBits width of the CPU's vectors as the Vector API prefers them; absent where the process that says it does not compute
public record MachineDescription(@JsonProperty("operatingSystem") String operatingSystem,
        @JsonProperty("architecture") String architecture, @JsonProperty("processor") String processor,
        @JsonProperty("physicalCores") int physicalCores, @JsonProperty("logicalCores") int logicalCores,
        @JsonProperty("memoryBytes") long memoryBytes, @JsonProperty("javaRuntime") String javaRuntime,
        @JsonProperty("vectorBits") @Nullable Integer vectorBits, @JsonProperty("gpus") List<String> gpus,
        @JsonProperty("inferometerVersion") String inferometerVersion,
        @JsonProperty("environment") @Nullable Environment environment) {
    /// The machine of another tool's file.
    public static final MachineDescription NOT_KNOWN = new MachineDescription(Unrecorded.TEXT, Unrecorded.TEXT,
            Unrecorded.TEXT, 0, 0, 0, Unrecorded.TEXT, null, List.of(), Unrecorded.TEXT);

    /// Whether it is known which machine it was.
    public boolean hasProcessor() {
        return Unrecorded.known(processor).isPresent();
    }

    /// A machine of which the environment is not known.
    public MachineDescription(String operatingSystem, String architecture, String processor, int physicalCores,
            int logicalCores, long memoryBytes, String javaRuntime, @Nullable Integer vectorBits, List<String> gpus,
            String inferometerVersion) {
        this(operatingSystem, architecture, processor, physicalCores, logicalCores, memoryBytes, javaRuntime,
                vectorBits, gpus, inferometerVersion, null);
    }

    /// What may change on one machine. Texts are empty where it is not known.
    ///
    /// @param governor how the CPU chooses its frequency: "performance"
    /// @param javaFlags options of the Java runtime, without paths
    /// @param gpuDriver version of the driver
    /// @param gpuClocks highest clocks of each GPU
    /// @param backgroundLoad share of all cores that other programs used before the run; absent where it was not measured
    public record Environment(@JsonProperty("governor") String governor, @JsonProperty("javaFlags") String javaFlags,
            @JsonProperty("gpuDriver") String gpuDriver, @JsonProperty("gpuClocks") String gpuClocks,
            @JsonProperty("backgroundLoad") @Nullable Double backgroundLoad) {
        public Environment {
            governor = Objects.requireNonNullElse(governor, "");
            javaFlags = Objects.requireNonNullElse(javaFlags, "");
            gpuDriver = Objects.requireNonNullElse(gpuDriver, "");
            gpuClocks = Objects.requireNonNullElse(gpuClocks, "");
        }
    }

    /// The same machine under this background load.
    public MachineDescription withBackgroundLoad(OptionalDouble load) {
        Environment here = environment;
        return here == null || load.isEmpty() ? this : new MachineDescription(operatingSystem, architecture, processor,
                physicalCores, logicalCores, memoryBytes, javaRuntime, vectorBits, gpus, inferometerVersion,
                new Environment(here.governor, here.javaFlags, here.gpuDriver, here.gpuClocks, load.getAsDouble()));
    }
}
