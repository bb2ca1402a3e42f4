package org.inferometer.execution.cuda;

import java.util.List;

/// What the CUDA driver of this machine says, or why it says nothing.
///
/// @param available whether there is a driver with at least one device
/// @param reason one sentence for people: what was found, or what is missing and the way out
/// @param driverVersion the CUDA version the driver supports, as "13.0"; empty without a driver
/// @param devices by index; empty without any
public record CudaReport(boolean available, String reason, String driverVersion, List<CudaDevice> devices) {
    public CudaReport {
        devices = List.copyOf(devices);
    }

    /// One GPU.
    ///
    /// @param memoryBytes of the whole device
    /// @param computeCapability as "9.0"
    public record CudaDevice(int index, String name, long memoryBytes, String computeCapability) {}

    static CudaReport absent(String reason) {
        return new CudaReport(false, reason, "", List.of());
    }
}
