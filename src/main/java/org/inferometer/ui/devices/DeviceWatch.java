package org.inferometer.ui.devices;

import org.inferometer.report.DevicesText.MachineView;
import org.inferometer.telemetry.MachineMonitor;
import org.inferometer.ui.devices.DeviceSource.Readings;
import org.jspecify.annotations.Nullable;

/// Holds the open readings in the background and closes them even when the window closes during opening.
///
/// Thread-safe; calls are serialised.
final class DeviceWatch {
    private final DeviceSource source;
    private @Nullable Readings open;
    private boolean ended;

    DeviceWatch(DeviceSource source) {
        this.source = source;
    }

    /// Opens readings. No effect after the end.
    synchronized DeviceWatch open(MachineView found) {
        close();
        if (!ended) {
            open = source.watch().apply(found.report().gpus());
        }
        return this;
    }

    /// All readings of now.
    ///
    /// @throws IllegalStateException when no readings are open
    synchronized MachineMonitor.Moment read() {
        Readings watched = open;
        if (watched == null) {
            throw new IllegalStateException("Nothing is watched.");
        }
        return watched.read();
    }

    /// Closes the readings, if open.
    synchronized void close() {
        Readings watched = open;
        open = null;
        if (watched != null) {
            watched.close();
        }
    }

    /// Closes the readings for good.
    synchronized void end() {
        ended = true;
        close();
    }
}
