package org.inferometer.report;

import java.util.List;
import org.inferometer.record.MachineDescription;
import org.inferometer.telemetry.MachineReport;
import org.inferometer.telemetry.ReadinessCheck;

/// The machine as `devices` and the Devices view show it.
///
/// @param checks in reading order
/// @param backends in the order of preference
public record MachineView(MachineDescription machine, MachineReport report, List<ReadinessCheck> checks,
        List<BackendFact> backends) {
    public MachineView {
        checks = List.copyOf(checks);
        backends = List.copyOf(backends);
    }

    /// A backend of this program on this machine.
    ///
    /// @param usable whether engines can run on it now
    /// @param facts what was found, or why it cannot be used; one sentence each
    public record BackendFact(String name, boolean usable, List<String> facts) {
        /// All facts in one line.
        public String text() {
            return String.join(" ", facts);
        }
    }
}
