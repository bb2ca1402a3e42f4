package org.inferometer.engine.build;

import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.inferometer.engine.ChatFormat;
import org.inferometer.engine.DescriptorFile;
import org.inferometer.engine.EngineCalibration;
import org.inferometer.engine.WeightSources;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.tokenizer.TrainedTokenizer;
import org.inferometer.units.OwnFiles;

/// Moves the files of a complete build into the folder of the engine. If a kill interrupts that, the next process that looks at
/// the engine goes on.
final class EngineReplacement {
    /// Files that an engine of a checkpoint can have beside its weights.
    static final List<String> FURTHER = List.of(TrainedTokenizer.FILE, ChatFormat.FILE.name(),
            EngineCalibration.FILE.name(), WeightSources.FILE.name());

    private EngineReplacement() {}

    /// An engine exists if `engine.json` does: it is removed first and moved last. Files derived from the old weights are removed.
    ///
    /// May be called again after any of its steps.
    static void replace(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        Files.deleteIfExists(to.resolve(DescriptorFile.FILE));
        if (Files.exists(from.resolve(DescriptorFile.WEIGHTS))) {
            removeOld(to);
            move(from.resolve(DescriptorFile.WEIGHTS), to.resolve(DescriptorFile.WEIGHTS));
        }
        for (String further : FURTHER) {
            if (Files.exists(from.resolve(further))) {
                move(from.resolve(further), to.resolve(further));
            }
        }
        move(from.resolve(DescriptorFile.FILE), to.resolve(DescriptorFile.FILE));
    }

    /// Replaces an engine that a killed process began to replace. Leaves all others as they are, and those that are being built.
    static void finish(Path folder) {
        try {
            finishOrExplain(folder);
        } catch (IOException | EngineFormatException e) {
            System.getLogger(EngineReplacement.class.getName()).log(System.Logger.Level.DEBUG,
                    folder + " cannot be replaced now", e);
        }
    }

    /// As [#finish].
    ///
    /// @throws IOException also if the engine's folder is a link: nobody asked to replace files elsewhere
    static void finishOrExplain(Path folder) throws IOException, EngineFormatException {
        if (!isBegun(folder)) {
            return;
        }
        requireOwn(BuildFolder.path(folder));
        if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            requireOwn(folder);
        }
        try (BuildFolder build = BuildFolder.claim(folder)) {
            build.keep();
            if (isBegun(folder)) {
                replace(build.path(), folder);
                build.discard();
            }
        }
    }

    private static void requireOwn(Path folder) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(folder + " is a link or a file");
        }
        if (!OwnFiles.isSafe(folder)) {
            throw new IOException("another user can replace " + folder);
        }
    }

    /// Whether the engine is missing and a build of it is complete.
    private static boolean isBegun(Path folder) {
        Path build = BuildFolder.path(folder);
        Path stated = build.resolve(DescriptorFile.FILE);
        if (Files.exists(folder.resolve(DescriptorFile.FILE))
                || !Files.isRegularFile(stated, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        try {
            Path moved = folder.resolve(DescriptorFile.WEIGHTS);
            Path weights = build.resolve(DescriptorFile.WEIGHTS);
            return Files.size(Files.exists(weights) ? weights : moved) == DescriptorFile.read(stated).weightBytes();
        } catch (IOException | EngineFormatException e) {
            return false;
        }
    }

    private static void removeOld(Path folder) throws IOException {
        try (DirectoryStream<Path> packed = Files.newDirectoryStream(folder, "*" + DescriptorFile.PACKED_SUFFIX)) {
            for (Path derived : packed) {
                if (Files.isRegularFile(derived, LinkOption.NOFOLLOW_LINKS)) {
                    Files.delete(derived);
                }
            }
        } catch (DirectoryIteratorException unreadable) {
            throw unreadable.getCause();
        }
        for (String further : FURTHER) {
            Files.deleteIfExists(folder.resolve(further));
        }
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException otherDisk) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
