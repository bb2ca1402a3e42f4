package org.inferometer.ui.devices;

import org.inferometer.report.MachineView;
import org.inferometer.telemetry.MachineMonitor;
import org.inferometer.ui.devices.DeviceSource.Readings;
import org.jspecify.annotations.Nullable;

/// The watch where the background keeps it, so that it is closed even when the window has gone while it was being opened.
///
/// Any thread may call; one question is asked at a time, and ending waits for the one under way.
final class DeviceWatch {
    private final DeviceSource source;
    private @Nullable Readings open;
    private boolean ended;

    DeviceWatch(DeviceSource source) {
        this.source = source;
    }

    /// Begins to watch; after the end, nothing is opened.
    synchronized DeviceWatch open(MachineView found) {
        close();
        if (!ended) {
            open = source.watch().apply(found.report().gpus());
        }
        return this;
    }

    /// All readings of now.
    ///
    /// @throws IllegalStateException where nothing is watched
    synchronized MachineMonitor.Moment read() {
        Readings watched = open;
        if (watched == null) {
            throw new IllegalStateException("Nothing is watched.");
        }
        return watched.read();
    }

    /// Ends the watch, if there is one.
    synchronized void close() {
        Readings watched = open;
        open = null;
        if (watched != null) {
            watched.close();
        }
    }

    /// Closes, and opens nothing any more.
    synchronized void end() {
        ended = true;
        close();
    }
}
