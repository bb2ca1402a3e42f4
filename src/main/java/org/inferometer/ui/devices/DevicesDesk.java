package org.inferometer.ui.devices;

import java.util.List;
import org.inferometer.telemetry.MachineReport;
import org.inferometer.telemetry.MachineWatch;
import org.inferometer.telemetry.ReadinessCheck;

/// What the Devices view works with. Called in the background, by one thread at a time.
public interface DevicesDesk {
    /// Looks at the whole machine; takes about a second.
    Looked look();

    /// Begins to watch what was found; whoever asked closes it.
    Watch watch(Looked found);

    /// The machine as it was when somebody looked.
    ///
    /// @param checks in the order in which people read them
    /// @param backends what could compute here
    /// @param text all of it as `devices` prints it
    record Looked(MachineReport report, List<ReadinessCheck> checks, List<BackendLine> backends, String text) {
        public Looked {
            checks = List.copyOf(checks);
            backends = List.copyOf(backends);
        }
    }

    /// A backend of this program on this machine.
    ///
    /// @param usable whether engines can run on it now
    /// @param words what it is, or why it cannot be used
    record BackendLine(String name, boolean usable, String words) {}

    /// A look that goes on.
    interface Watch extends AutoCloseable {
        /// All readings of now.
        MachineWatch.Moment read();

        @Override
        void close();
    }
}
