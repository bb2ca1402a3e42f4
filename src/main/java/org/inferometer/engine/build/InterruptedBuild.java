package org.inferometer.engine.build;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.engine.DescriptorFile;
import org.inferometer.engine.Engine;
import org.inferometer.engine.EngineDescriptor;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.units.Leftovers;

/// What an interrupted build of an engine left; the next build of the engine goes on with it.
///
/// @param folder the hidden folder of the build
/// @param bytes of weights that are complete
public record InterruptedBuild(Path folder, String engine, long bytes) {
    /// The interrupted builds of a workspace, by the engine's name; none that a living process goes on with.
    ///
    /// @param engines folder of the engines; may not exist
    public static List<InterruptedBuild> in(Path engines) throws IOException {
        List<InterruptedBuild> found = new ArrayList<>();
        for (Path left : Leftovers.in(engines)) {
            String name = String.valueOf(left.getFileName());
            if (name.startsWith(Leftovers.BUILDING)) {
                found.add(new InterruptedBuild(left, name.substring(Leftovers.BUILDING.length()), bytes(left)));
            }
        }
        return List.copyOf(found);
    }

    /// Whether a leftover is a complete build that the engine's folder does not have.
    public static boolean isNeeded(Path left) {
        if (!String.valueOf(left.getFileName()).startsWith(Leftovers.BUILDING)) {
            return false;
        }
        EngineDescriptor complete;
        try {
            complete = DescriptorFile.read(left.resolve(DescriptorFile.FILE));
        } catch (EngineFormatException e) {
            return false;
        }
        try {
            return !Engine.descriptor(engine(left)).equals(complete);
        } catch (EngineFormatException e) {
            return true;
        }
    }

    private static Path engine(Path left) {
        return left.resolveSibling(String.valueOf(left.getFileName()).substring(Leftovers.BUILDING.length()));
    }

    /// Moves a complete build to the folder of its engine, unless the engine exists.
    ///
    /// @throws IOException if the build stays
    public static void finish(Path left) throws IOException {
        Path engine = engine(left);
        try {
            EngineReplacement.finishOrExplain(engine);
        } catch (EngineFormatException e) {
            throw new IOException(e.getMessage(), e);
        }
        if (Files.exists(left, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(engine + " has another engine, or the weights have another size");
        }
    }

    /// As the journal says; without one, what the file of weights has.
    private static long bytes(Path left) throws IOException {
        Path weights = left.resolve(DescriptorFile.WEIGHTS);
        long complete = BuildJournal.writtenBytes(left);
        return complete == 0 && Files.isRegularFile(weights, LinkOption.NOFOLLOW_LINKS) ? Files.size(weights)
                : complete;
    }

    /// Deletes what was written.
    ///
    /// @throws IOException if a process goes on with it now, or a file cannot be removed
    public void delete() throws IOException {
        Leftovers.delete(folder);
    }
}
