package org.inferometer.engine.build;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.engine.DescriptorFile;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.files.FreeSpace;
import org.inferometer.units.FileFault;
import org.inferometer.units.QuantityText;

/// Checks the disk before the first of several engines is built. Each build checks again for itself.
public final class DiskNeeds {
    private DiskNeeds() {}

    /// Nothing if all fit. What interrupted builds keep and what engines of these names have now counts as free.
    ///
    /// @param folder of the engines; may not exist
    /// @param neededBytes of all
    /// @throws EngineFormatException if the disk has too little for all
    public static void require(Path folder, List<String> engines, long neededBytes, FreeSpace freeSpace)
            throws EngineFormatException {
        try {
            long needed = neededBytes - InterruptedBuild.in(folder).stream()
                    .filter(build -> engines.contains(build.engine())).mapToLong(InterruptedBuild::bytes).sum();
            for (String engine : engines) {
                Path weights = folder.resolve(engine).resolve(DescriptorFile.WEIGHTS);
                needed -= Files.exists(weights) ? Files.size(weights) : 0;
            }
            long free = freeSpace.bytes(existing(folder.toAbsolutePath()));
            if (engines.size() > 1 && free < needed) {
                throw new EngineFormatException(folder,
                        "The " + engines.size() + " engines need " + QuantityText.bytes(needed) + ", the disk has "
                                + QuantityText.bytes(free) + " free. None was begun.",
                        "Free some space, or build fewer of them.");
            }
        } catch (IOException unreadable) {
            throw new EngineFormatException(folder, "It cannot be read (" + FileFault.reason(unreadable) + ").",
                    "Check the disk and the folder's permissions.", unreadable);
        }
    }

    private static Path existing(Path folder) {
        Path parent = folder.getParent();
        return Files.exists(folder) || parent == null ? folder : existing(parent);
    }
}
