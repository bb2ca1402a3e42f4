package org.inferometer.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.inferometer.units.HeldFile;
import org.inferometer.units.Leftovers;

/// A locked file that marks a folder as being written. The holder closes it; any thread may call [#held].
final class RunningMarker {
    private RunningMarker() {}

    /// Marks a folder as being written by this process; creates the folder if missing.
    static HeldFile hold(Path folder) throws IOException {
        return HeldFile.hold(folder, Leftovers.RUNNING, "");
    }

    /// Whether a process writes into the folder; false on file systems without locks.
    static boolean held(Path folder) throws IOException {
        return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS) && Leftovers.isHeld(folder);
    }
}
