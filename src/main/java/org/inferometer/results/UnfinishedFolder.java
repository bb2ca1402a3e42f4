package org.inferometer.results;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.inferometer.units.FileFault;
import org.inferometer.units.FolderTree;
import org.inferometer.units.HeldFile;
import org.inferometer.units.Leftovers;

/// A hidden folder beside its target, filled and then moved into place. A killed process leaves a hidden folder, which
/// [Leftovers] finds. One thread; closing deletes what was not published.
public final class UnfinishedFolder implements AutoCloseable {
    private final Path hidden;
    private final Path target;
    private final HeldFile marker;

    private UnfinishedFolder(Path hidden, Path target, HeldFile marker) {
        this.hidden = hidden;
        this.target = target;
        this.marker = marker;
    }

    /// Creates the folder beside a target; creates the parent of the target if missing. Who may enter the target, if it exists, may
    /// enter the folder.
    public static UnfinishedFolder beside(Path target) throws IOException {
        Path absolute = target.toAbsolutePath().normalize();
        Path hidden = absolute.resolveSibling(Leftovers.UNFINISHED + UUID.randomUUID());
        UnfinishedFolder unfinished = new UnfinishedFolder(hidden, absolute, RunningMarker.hold(hidden));
        try {
            Files.createDirectories(unfinished.content());
            if (Files.isDirectory(absolute)) {
                copyRights(absolute, unfinished.content());
            }
        } catch (IOException e) {
            try (unfinished) {
                throw e;
            }
        }
        return unfinished;
    }

    private static void copyRights(Path from, Path to) throws IOException {
        if (!Files.isWritable(from)) {
            throw new AccessDeniedException(from.toString());
        }
        PosixFileAttributeView view = Files.getFileAttributeView(to, PosixFileAttributeView.class);
        if (view != null) {
            PosixFileAttributes rights = Files.readAttributes(from, PosixFileAttributes.class);
            if (!rights.group().equals(view.readAttributes().group())) {
                view.setGroup(rights.group());
            }
            view.setPermissions(rights.permissions());
        }
    }

    /// Writes files into a folder: all at once if the folder is missing or empty, else one after the other when all are
    /// written beside it. Replaces files of equal name.
    ///
    /// @param contents by file name
    /// @return the files, in the order of the map
    /// @throws IOException with the path and the reason
    public static List<Path> write(Path folder, Map<String, byte[]> contents) throws IOException {
        if (Files.isSymbolicLink(folder)) {
            // A link in the result of a stranger may lead to the user's own files.
            throw new IOException(folder + " is a link. Remove it, or choose the folder that it leads to.");
        }
        List<Path> files = contents.keySet().stream().map(folder::resolve).toList();
        try (UnfinishedFolder unfinished = beside(folder)) {
            try {
                for (Map.Entry<String, byte[]> each : contents.entrySet()) {
                    Files.write(unfinished.content().resolve(each.getKey()), each.getValue());
                }
            } catch (IOException e) {
                throw FileFault.at(folder, e);
            }
            if (Files.isDirectory(folder) && !isEmpty(folder)) {
                unfinished.move(files);
            } else {
                unfinished.publish();
            }
        }
        return files;
    }

    private void move(List<Path> files) throws IOException {
        for (int i = 0; i < files.size(); i++) {
            Path file = files.get(i);
            try {
                Files.move(content().resolve(String.valueOf(file.getFileName())), file, StandardCopyOption.ATOMIC_MOVE,
                        StandardCopyOption.REPLACE_EXISTING);
            } catch (IOException e) {
                String written = files.stream().limit(i).map(Path::toString).collect(Collectors.joining(", "));
                throw FileFault.at(file, new IOException(
                        FileFault.reason(e) + (written.isEmpty() ? "" : ". Already written: " + written), e));
            }
        }
    }

    /// The folder to fill.
    public Path content() {
        return hidden.resolve(Leftovers.CONTENT);
    }

    /// Moves the folder to its target at once.
    ///
    /// @throws FileAlreadyExistsException if the target exists and is not an empty folder
    public void publish() throws IOException {
        if (Files.isDirectory(target) && isEmpty(target)) {
            Files.delete(target);
        }
        Files.move(content(), target);
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (DirectoryStream<Path> inside = Files.newDirectoryStream(folder)) {
            return !inside.iterator().hasNext();
        }
    }

    /// Deletes the rest. The marker is released last.
    @Override
    public void close() throws IOException {
        try (marker) {
            FolderTree.delete(content());
        }
        Files.deleteIfExists(hidden);
    }
}
