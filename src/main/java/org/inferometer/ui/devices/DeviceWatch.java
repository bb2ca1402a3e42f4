package org.inferometer.ui.devices;

import org.inferometer.telemetry.MachineWatch;
import org.inferometer.ui.devices.DevicesDesk.Looked;
import org.inferometer.ui.devices.DevicesDesk.Watch;
import org.jspecify.annotations.Nullable;

/// The watch where the background keeps it, so that it is closed even when the window has gone while it was being opened.
///
/// Any thread may call; one question is asked at a time, and ending waits for the one under way.
final class DeviceWatch {
    private final DevicesDesk desk;
    private @Nullable Watch open;
    private boolean ended;

    DeviceWatch(DevicesDesk desk) {
        this.desk = desk;
    }

    /// Begins to watch; after the end, nothing is opened.
    synchronized DeviceWatch open(Looked found) {
        close();
        if (!ended) {
            open = desk.watch(found);
        }
        return this;
    }

    /// All readings of now.
    ///
    /// @throws IllegalStateException where nothing is watched
    synchronized MachineWatch.Moment read() {
        Watch watched = open;
        if (watched == null) {
            throw new IllegalStateException("Nothing is watched.");
        }
        return watched.read();
    }

    /// Ends the watch, if there is one.
    synchronized void close() {
        Watch watched = open;
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
