package org.inferometer.execution.cuda.device;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.inferometer.units.LetterCase;

/// The devices of the CUDA driver, or the reason why there are none.
///
/// @param available whether there is a driver with at least one device
/// @param reason what was found, or what is missing and what to do
/// @param driverVersion the CUDA version the driver supports, as "13.0"; empty without a driver
/// @param devices by index; empty if unavailable
public record CudaReport(boolean available, String reason, String driverVersion, List<Gpu> devices) {
    private static final String UUID_PREFIX = "gpu-";

    public CudaReport {
        devices = List.copyOf(devices);
    }

    /// One GPU.
    ///
    /// @param uuid as nvidia-smi prints it: "GPU-8f1c..."
    /// @param memoryBytes of the whole device
    /// @param computeCapability as "9.0"
    public record Gpu(int index, String name, String uuid, long memoryBytes, String computeCapability) {}

    /// The device with this number, UUID or unique start of a UUID.
    public Optional<Gpu> find(String choice) {
        String wanted = LetterCase.lower(choice);
        boolean uuid = wanted.startsWith(UUID_PREFIX) && wanted.length() > UUID_PREFIX.length();
        List<Gpu> meant = devices.stream().filter(device -> choice.equals(Integer.toString(device.index()))
                || (uuid && LetterCase.lower(device.uuid()).startsWith(wanted))).toList();
        return meant.size() == 1 ? Optional.of(meant.getFirst()) : Optional.empty();
    }

    /// The message for an unknown device.
    public String unknown(String choice) {
        String known = devices.stream().map(device -> device.index() + " (" + device.name() + ")")
                .collect(Collectors.joining(", "));
        return "There is no GPU \"" + choice + "\"; this machine has " + known
                + ". Give its number or its UUID with cuda:device=...";
    }

    static CudaReport absent(String reason) {
        return new CudaReport(false, reason, "", List.of());
    }

    /// The CUDA version that a driver supports.
    ///
    /// @param number 1000 · major + 10 · minor
    public record DriverVersion(int number) implements Comparable<DriverVersion> {
        public static DriverVersion of(int major, int minor) {
            return new DriverVersion(1000 * major + 10 * minor);
        }

        /// As "12.4".
        public String text() {
            return number / 1000 + "." + number % 1000 / 10;
        }

        @Override
        public int compareTo(DriverVersion other) {
            return Integer.compare(number, other.number);
        }

        public boolean atLeast(DriverVersion other) {
            return compareTo(other) >= 0;
        }
    }
}
