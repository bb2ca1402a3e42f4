package org.inferometer.app;

import org.inferometer.execution.host.HostExecutor;
import org.inferometer.record.MachineDescription;
import org.inferometer.telemetry.MachineReport;

/// The machine as records describe it: without host, user or path.
final class ThisMachine {
    private ThisMachine() {}

    /// Only processes that compute are started with the module.
    private static boolean vectorsAreThere() {
        return ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
    }

    static MachineDescription description(MachineReport report, String version) {
        return new MachineDescription(report.operatingSystem(), report.architecture(), report.processor(),
                report.physicalCores(), report.logicalCores(), report.memoryBytes(), report.javaRuntime(),
                vectorsAreThere() ? HostExecutor.vectorBits() : null, report.gpuNames(), version);
    }
}
