package org.inferometer.telemetry;

import java.util.ArrayList;
import java.util.List;

/// Which GPUs there are, or why none can be read.
///
/// @param gpus in the driver's order; empty without one
/// @param driverVersion empty where not known
/// @param explanation one sentence: what was found through which library, or what was tried
public record GpuReport(List<GpuDescription> gpus, String driverVersion, String explanation) {
    /// Asks the driver of this machine.
    public static GpuReport probe() {
        return probe(NvmlLibrary.defaultNames());
    }

    /// Asks the first of these libraries that can be loaded.
    static GpuReport probe(List<String> libraries) {
        try (NvmlLibrary nvml = NvmlLibrary.open(libraries)) {
            List<GpuDescription> gpus = new ArrayList<>();
            int count = GpuMonitor.count(nvml);
            for (int index = 0; index < count; index++) {
                gpus.add(GpuMonitor.describe(nvml, index));
            }
            String driver = GpuMonitor.driverVersion(nvml);
            String found = (count == 1 ? "1 GPU" : count + " GPUs") + " read through " + nvml.name()
                    + (driver.isEmpty() ? "." : ", driver " + driver + ".");
            return new GpuReport(List.copyOf(gpus), driver, found);
        } catch (GpuException unreadable) {
            return new GpuReport(List.of(), "", unreadable.sentence());
        }
    }
}
